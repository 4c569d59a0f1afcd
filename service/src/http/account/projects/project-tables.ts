import { buttonForm } from '../../pages/button-form.ts'
import { type Html, html } from '../../pages/markup.ts'
import { emailText, type Person, personNames } from '../../pages/person.ts'
import { heading, hiddenHeading, numberHeading, scrollTable } from '../../pages/scroll-table.ts'
import { displayText, formatCount, formatNumber } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { accountPaths } from '../paths.ts'
import { type Activity, EVENT_WORDS } from './activity.ts'

/** Somebody who signed in to the project. */
export interface ProjectPerson extends Person {
  readonly id: number
  readonly firstSeen: number
  readonly lastSeen: number
}

/** One sign-in of one person that can still be refreshed. */
export interface ProjectSession {
  readonly id: number
  readonly email: string
  readonly createdAt: number
  /** The last refresh, or the start. */
  readonly rotatedAt: number
}

/** Some, and how many there are in all. */
export interface Newest<T> {
  readonly total: number
  readonly recent: readonly T[]
}

export const activityTable = (activity: readonly Activity[], now: number): Html =>
  activity.length === 0
    ? none('Nothing has happened yet.')
    : scrollTable({
        caption: 'Newest first',
        label: 'Recent activity',
        head: ['Event', 'Person', 'When', 'Error code'].map(heading),
        rows: activity.map(
          ({ event, email, createdAt, errorCode }) => html`<tr>
            <td class="event">${EVENT_WORDS[event]}</td>
            <td class="who">${email === null ? html`<span class="none">Not known</span>` : emailText(email)}</td>
            <td>${timestamp(createdAt, now)}</td>
            <td>${errorCode !== null && html`<code>${displayText(errorCode)}</code>`}</td>
          </tr>`,
        ),
      })

export const peopleTable = ({ total, recent }: Newest<ProjectPerson>, now: number): Html =>
  recent.length === 0
    ? none('Nobody has signed in yet.')
    : scrollTable({
        caption: `${shown(recent.length, total, 'person', 'people')}, newest first`,
        label: 'People',
        head: [heading('Person'), numberHeading('Id'), heading('First seen'), heading('Last seen')],
        rows: recent.map(
          (person) => html`<tr>
            <td class="who">${personNames(person)}</td>
            <td class="number">${person.id}</td>
            <td>${timestamp(person.firstSeen, now)}</td>
            <td>${timestamp(person.lastSeen, now)}</td>
          </tr>`,
        ),
      })

export const sessionTable = (tenantId: string, sessions: Newest<ProjectSession>, csrf: string, now: number): Html =>
  sessions.recent.length === 0
    ? none('Nobody is signed in.')
    : scrollTable({
        caption: `${shown(sessions.recent.length, sessions.total, 'active session', 'active sessions')}, last used first`,
        label: 'Active sessions',
        head: [...['Person', 'Started', 'Last refreshed'].map(heading), hiddenHeading('Action')],
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

const shown = (count: number, total: number, one: string, many: string): string =>
  count < total ? `${formatNumber(count)} of ${formatCount(total, one, many)}` : formatCount(count, one, many)
