import { REMOVAL_DAYS } from '@gatehouse/contract'
import { type Html, html } from '../../../pages/markup.ts'
import { emailText } from '../../../pages/person.ts'
import { heading, numberHeading, scrollTable } from '../../../pages/scroll-table.ts'
import { timestamp } from '../../../pages/time.ts'
import { accountPaths } from '../../paths.ts'

export interface ProjectRemovals {
  readonly removals: readonly {
    readonly userId: number
    readonly email: string
    readonly requestedAt: number
    readonly dueAt: number
  }[]
  readonly hasMore: boolean
}

/** Users who asked to be removed. */
export const removalsTable = (tenantId: string, { removals, hasMore }: ProjectRemovals, now: number): Html =>
  removals.length === 0
    ? html`<p class="none">No user has asked to be removed.</p>`
    : html`<p class="aside">Remove what your app stores about these users, then delete the user on their page. After ${REMOVAL_DAYS} days we do. <a href="/docs/your-data#for-owners-removal-requests">What to do</a></p>
      ${scrollTable({
        caption: hasMore ? 'The first requests; the API lists all of them' : 'By user id',
        label: 'Removal requests',
        head: [heading('User'), numberHeading('Id'), heading('Requested'), heading('Deleted at the latest')],
        rows: removals.map(
          ({ userId, email, requestedAt, dueAt }) => html`<tr>
            <td class="who"><a href="${accountPaths.user(tenantId, userId)}">${emailText(email)}</a></td>
            <td class="number">${userId}</td>
            <td>${timestamp(requestedAt, now)}</td>
            <td>${timestamp(dueAt, now)}</td>
          </tr>`,
        ),
      })}`
