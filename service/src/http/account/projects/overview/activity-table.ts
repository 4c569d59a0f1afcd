import { type Html, html } from '../../../pages/markup.ts'
import { emailText } from '../../../pages/person.ts'
import { heading, scrollTable } from '../../../pages/scroll-table.ts'
import { displayText } from '../../../pages/text.ts'
import { timestamp } from '../../../pages/time.ts'
import { type Activity, EVENT_WORDS } from '../activity.ts'

export const activityTable = (activity: readonly Activity[], now: number): Html =>
  activity.length === 0
    ? html`<p class="none">No activity yet.</p>`
    : scrollTable({
        caption: 'Newest first',
        label: 'Recent activity',
        head: ['Event', 'User', 'When', 'Error code'].map(heading),
        rows: activity.map(
          ({ event, email, createdAt, errorCode }) => html`<tr>
            <td class="event">${EVENT_WORDS[event]}</td>
            <td class="who">${email === null ? html`<span class="none">Unknown</span>` : emailText(email)}</td>
            <td>${timestamp(createdAt, now)}</td>
            <td>${errorCode !== null && html`<code>${displayText(errorCode)}</code>`}</td>
          </tr>`,
        ),
      })
