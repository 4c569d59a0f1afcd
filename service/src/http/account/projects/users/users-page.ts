import { type Html, html } from '../../../pages/markup.ts'
import { type Person, personNames } from '../../../pages/person.ts'
import { heading, numberHeading, scrollTable } from '../../../pages/scroll-table.ts'
import { timestamp } from '../../../pages/time.ts'
import { consolePage, type Frame } from '../console.ts'
import { type Newest, shownOf } from '../newest.ts'
import { type ProjectRemovals, removalsTable } from './removals-table.ts'

/** A user of the project. */
export interface ProjectUser extends Person {
  readonly id: number
  readonly firstSeen: number
  readonly lastSeen: number
}

export interface Users {
  readonly users: Newest<ProjectUser>
  readonly removals: ProjectRemovals
}

/** `/account/projects/:tenantId/users`. */
export const usersPage = (frame: Frame, { users, removals }: Users): Html =>
  consolePage(
    frame,
    'users',
    html`
      <h2>Users</h2>
      ${userTable(users, frame.now)}
      <h2>Removal requests</h2>
      ${removalsTable(removals, frame.now)}
    `,
  )

const userTable = (users: Newest<ProjectUser>, now: number): Html =>
  users.recent.length === 0
    ? html`<p class="none">No users yet.</p>`
    : scrollTable({
        caption: `${shownOf(users, 'user', 'users')}, newest first`,
        label: 'Users',
        head: [heading('User'), numberHeading('Id'), heading('First seen'), heading('Last seen')],
        rows: users.recent.map(
          (user) => html`<tr>
            <td class="who">${personNames(user)}</td>
            <td class="number">${user.id}</td>
            <td>${timestamp(user.firstSeen, now)}</td>
            <td>${timestamp(user.lastSeen, now)}</td>
          </tr>`,
        ),
      })
