import { buttonForm } from '../../pages/button-form.ts'
import { type Html, html } from '../../pages/markup.ts'
import { emailText, type Person, personNames } from '../../pages/person.ts'
import { heading, hiddenHeading, numberHeading, scrollTable } from '../../pages/scroll-table.ts'
import { displayText, formatCount, formatNumber } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { accountPaths } from '../paths.ts'
import { type Activity, EVENT_WORDS } from './activity.ts'

/** A user of the project. */
export interface ProjectUser extends Person {
  readonly id: number
  readonly firstSeen: number
  readonly lastSeen: number
}

/** A session that can still be refreshed. */
export interface ProjectSession {
  readonly id: number
  readonly email: string
  readonly createdAt: number
  /** The time of the last refresh, or of the sign-in. */
  readonly rotatedAt: number
}

/** The newest entries, and the total. */
export interface Newest<T> {
  readonly total: number
  readonly recent: readonly T[]
}

export const activityTable = (activity: readonly Activity[], now: number): Html =>
  activity.length === 0
    ? none('No activity yet.')
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

export const userTable = ({ total, recent }: Newest<ProjectUser>, now: number): Html =>
  recent.length === 0
    ? none('No users yet.')
    : scrollTable({
        caption: `${shown(recent.length, total, 'user', 'users')}, newest first`,
        label: 'Users',
        head: [heading('User'), numberHeading('Id'), heading('First seen'), heading('Last seen')],
        rows: recent.map(
          (user) => html`<tr>
            <td class="who">${personNames(user)}</td>
            <td class="number">${user.id}</td>
            <td>${timestamp(user.firstSeen, now)}</td>
            <td>${timestamp(user.lastSeen, now)}</td>
          </tr>`,
        ),
      })

export const sessionTable = (tenantId: string, sessions: Newest<ProjectSession>, csrf: string, now: number): Html =>
  sessions.recent.length === 0
    ? none('No active sessions.')
    : scrollTable({
        caption: `${shown(sessions.recent.length, sessions.total, 'active session', 'active sessions')}, last used first`,
        label: 'Active sessions',
        head: [...['User', 'Started', 'Last refreshed'].map(heading), hiddenHeading('Action')],
        rows: sessions.recent.map(
          ({ id, email, createdAt, rotatedAt }) => html`<tr>
            <td class="who" id="session-${id}">${emailText(email)}</td>
            <td>${timestamp(createdAt, now)}</td>
            <td>${timestamp(rotatedAt, now)}</td>
            <td class="act">${buttonForm({
              action: accountPaths.endProjectSession(tenantId),
              csrf,
              fields: { session: id },
              label: 'End this session',
              variant: 'small',
              describedBy: `session-${id}`,
            })}</td>
          </tr>`,
        ),
      })

const none = (text: string): Html => html`<p class="none">${text}</p>`

const shown = (count: number, total: number, singular: string, plural: string): string =>
  count < total
    ? `${formatNumber(count)} of ${formatCount(total, singular, plural)}`
    : formatCount(count, singular, plural)
