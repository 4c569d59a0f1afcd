import { type Html, html } from '../../../pages/markup.ts'
import { type Person, personNames } from '../../../pages/person.ts'
import { heading, scrollTable } from '../../../pages/scroll-table.ts'
import { timestamp } from '../../../pages/time.ts'
import { accountPaths } from '../../paths.ts'

/** A user of the project. */
export interface ProjectUser extends Person {
  readonly id: number
  readonly firstSeen: number
  readonly lastSeen: number
  /** null: the user may sign in. */
  readonly blockedAt: number | null
}

export const userTable = (tenantId: string, users: readonly ProjectUser[], caption: string, now: number): Html =>
  scrollTable({
    caption,
    label: 'Users',
    head: [
      heading('User'),
      html`<th scope="col" class="number spare">Id</th>`,
      html`<th scope="col" class="spare">First seen</th>`,
      heading('Last seen'),
    ],
    rows: users.map(
      (user) => html`<tr>
        <td class="who"><a href="${accountPaths.user(tenantId, user.id)}">${personNames(user)}</a> ${user.blockedAt !== null && blockedBadge}</td>
        <td class="number spare">${user.id}</td>
        <td class="spare">${timestamp(user.firstSeen, now)}</td>
        <td>${timestamp(user.lastSeen, now)}</td>
      </tr>`,
    ),
  })

export const blockedBadge = html`<span class="badge warn">Blocked</span>`
