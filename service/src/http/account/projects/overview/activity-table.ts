import { type Html, html } from '../../../pages/markup.ts'
import { emailText } from '../../../pages/person.ts'
import { heading, scrollTable } from '../../../pages/scroll-table.ts'
import { displayText } from '../../../pages/text.ts'
import { timestamp } from '../../../pages/time.ts'
import { accountPaths } from '../../paths.ts'
import { type Activity, EVENT_WORDS } from '../activity.ts'

export const activityTable = (tenantId: string, activity: readonly Activity[], now: number): Html =>
  activity.length === 0
    ? html`<p class="none">No activity yet.</p>`
    : scrollTable({
        caption: 'Newest first',
        label: 'Recent activity',
        head: ['Event', 'User', 'When', 'Error code'].map(heading),
        rows: activity.map(
          ({ event, userId, email, createdAt, errorCode }) => html`<tr>
            <td class="event">${EVENT_WORDS[event]}</td>
            <td class="who">${who(tenantId, userId, email)}</td>
            <td>${timestamp(createdAt, now)}</td>
            <td>${errorCode !== null && html`<code>${displayText(errorCode)}</code>`}</td>
          </tr>`,
        ),
      })

/** Before a sign-in is finished, its user is unknown. */
function who(tenantId: string, userId: number | null, email: string | null): Html {
  if (email === null) return html`<span class="none">Unknown</span>`
  return userId === null
    ? emailText(email)
    : html`<a href="${accountPaths.user(tenantId, userId)}">${emailText(email)}</a>`
}
