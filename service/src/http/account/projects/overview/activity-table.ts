import { type Html, html } from '../../../pages/markup.ts'
import { emailText } from '../../../pages/person.ts'
import { heading, scrollTable } from '../../../pages/scroll-table.ts'
import { displayText } from '../../../pages/text.ts'
import { timestamp } from '../../../pages/time.ts'
import { accountPaths } from '../../paths.ts'
import { type Activity, EVENT_WORDS } from '../activity.ts'

export interface ListedActivity extends Activity {
  readonly id: number
}

export const activityTable = (tenantId: string, activity: readonly ListedActivity[], now: number): Html =>
  activity.length === 0
    ? html`<p class="none">No activity yet.</p>`
    : scrollTable({
        caption: 'Newest first',
        label: 'Recent activity',
        head: ['Event', 'User', 'When'].map(heading),
        rows: activityRows(tenantId, activity, now),
      })

export const activityRows = (tenantId: string, activity: readonly ListedActivity[], now: number): Html[] =>
  activity.map(
    ({ id, event, userId, email, createdAt, errorCode }) => html`<tr data-event="${id}">
      <td class="event">${EVENT_WORDS[event]}${errorCode !== null && html` <code class="error-code">${displayText(errorCode)}</code>`}</td>
      <td class="who">${who(tenantId, userId, email)}</td>
      <td>${timestamp(createdAt, now)}</td>
    </tr>`,
  )

/** Before a sign-in is finished, its user is unknown. */
function who(tenantId: string, userId: number | null, email: string | null): Html {
  if (email === null) return html`<span class="none">Unknown</span>`
  return userId === null
    ? emailText(email)
    : html`<a href="${accountPaths.user(tenantId, userId)}">${emailText(email)}</a>`
}
