import { REMOVAL_DAYS, USER_SEARCH_MIN_CHARACTERS } from '@gatehouse-auth/contract'
import { invalidRequest } from '../../../domain/api-error.ts'
import type { UserOrder } from '../../../domain/stores/stores.ts'
import type { UserRecord } from '../../../domain/users/user.ts'
import { readRemovals } from '../../../operations/users/delete-user.ts'
import { exportUsers, searchUsers } from '../../../operations/users/users.ts'
import type { Call } from '../../dependencies.ts'
import {
  emailText,
  heading,
  numberHeading,
  personNames,
  scrollTable,
} from '../../pages/elements.ts'
import { selectField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { formatCount } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { exportedUsers, isExportFormat } from '../../user-export.ts'
import { consoleForm, formButton } from '../console-form.ts'
import { consolePage } from '../console-page.ts'
import { idField } from '../form.ts'
import { accountPaths, below, withQuery } from '../paths.ts'
import { type Frame, pager } from './project-page.ts'

const SHOWN = 25

const exportForm = consoleForm({
  path: below(accountPaths.users, 'export'),
  button: 'Export CSV',
  async run({ ctx, tenant, author, form }) {
    const format = form.get('format') ?? ''
    if (!isExportFormat(format)) {
      throw invalidRequest('Choose a format on our page.', [])
    }
    return { format, users: await exportUsers(ctx, tenant, author) }
  },
  outcome: ({ format, users }, { c }) => exportedUsers(c, users, format),
})

/** The tab "Users". */
export const usersRoute = consolePage({
  path: accountPaths.users,
  tab: 'users',
  forms: [exportForm],
  notices: { 'user-deleted': { message: 'User deleted.' } },
  async load({ ctx, c, tenant, project }) {
    const search = searchOf(c)
    const { q, blocked, sort: order, after } = search
    const asked = {
      part: q || undefined,
      blocked: blocked || undefined,
      order,
      after,
      limit: SHOWN,
    }
    const listed =
      project.callbackHosts.length === 0 ? NO_USERS : await searchUsers(ctx, tenant, asked)
    return { search, ...listed, removals: await readRemovals(ctx, tenant) }
  },
  view: (frame, page: Users) => html`
    <h2>Users</h2>
    ${searchForm(frame.project.tenantId, page.search, page.isSortable)}
    ${list(frame, page)}
    <h2>Export</h2>
    <p class="aside">Every user with identities, metadata and times. The export is recorded under Changes.</p>
    <div class="buttons">${formButton(exportForm, frame, { fields: { format: 'csv' }, variant: 'quiet' })}${formButton(exportForm, frame, { label: 'Export NDJSON', fields: { format: 'ndjson' }, variant: 'quiet' })}</div>
    <h2>Removal requests</h2>
    ${removalsTable(frame.project.tenantId, page.removals, frame.now)}`,
})

/** Without a callback URL there are no users. */
const NO_USERS = { users: [], hasMore: false, total: 0, isSortable: true } as const

const ORDERS = { 'last-seen': 'Last seen', 'first-seen': 'First seen', name: 'Name' } as const

/** Without a valid value, a parameter has no effect. */
function searchOf(c: Call): UserSearch {
  const q = (c.req.query('q') ?? '').replaceAll('\0', '').trim()
  const sort = c.req.query('sort') ?? ''
  return {
    q: q.length >= USER_SEARCH_MIN_CHARACTERS && q.length <= 254 ? q : '',
    blocked: c.req.query('blocked') === 'true',
    sort: Object.hasOwn(ORDERS, sort) ? (sort as UserOrder) : undefined,
    after: Math.max(0, idField(c.req.query('after') ?? null)),
  }
}

/** The query of the page. */
interface UserSearch {
  readonly q: string
  readonly blocked: boolean
  /** undefined: the newest first. */
  readonly sort: UserOrder | undefined
  /** The last user of the previous page, or how many come before this one; 0: this is the first. */
  readonly after: number
}

export interface Users {
  readonly search: UserSearch
  readonly users: readonly ProjectUser[]
  readonly hasMore: boolean
  /** How many match; null: not counted. */
  readonly total: number | null
  /** False for a large list, which is shown with the newest first only. */
  readonly isSortable: boolean
  readonly removals: ProjectRemovals
}

const searchForm = (
  tenantId: string,
  { q, blocked, sort }: UserSearch,
  isSortable: boolean,
): Html =>
  html`<form class="filters" role="search" method="get" action="${accountPaths.users(tenantId)}">
    <div class="grow"><label for="q">Part of the email address or name</label>
    <input id="q" name="q" type="search" value="${q}" maxlength="254" minlength="${USER_SEARCH_MIN_CHARACTERS}" autocomplete="off" autocapitalize="none" spellcheck="false"></div>
    ${isSortable && html`<div><label for="sort">Sort by</label>${selectField('sort', { '': 'Newest', ...ORDERS }, sort ?? '')}</div>`}
    <label class="check"><input type="checkbox" name="blocked" value="true"${blocked && html` checked`}> Blocked only</label>
    <button class="quiet">Search</button>
  </form>`

function list({ project, now }: Frame, { search, users, hasMore, total, isSortable }: Users): Html {
  const { q, blocked, after } = search
  const sort = isSortable ? search.sort : undefined
  const path = accountPaths.users(project.tenantId)
  const query = { q: q || undefined, blocked: blocked ? 'true' : undefined, sort }
  const searched = q !== '' || blocked
  if (users.length === 0 && after === 0) {
    return searched
      ? html`<p class="none">No user matches. <a href="${path}">Show all users</a></p>`
      : html`<p class="none">No users yet. They appear here after their first sign-in.</p>`
  }
  const count = total === null ? 'Users' : formatCount(total, 'user', 'users')
  const order = sort === undefined ? 'newest first' : `by ${ORDERS[sort].toLowerCase()}`
  const nextAfter = sort === undefined ? users.at(-1)?.id : after + SHOWN
  return html`${userTable(project.tenantId, users, `${count}${searched ? ' found' : ''}, ${order}`, now)}
    ${pager({
      label: 'Pages of users',
      first: after === 0 ? null : withQuery(path, query),
      next: hasMore ? withQuery(path, { ...query, after: nextAfter }) : null,
      ...(sort !== undefined && { words: ['First page', 'Next page'] }),
    })}`
}

/** A user of the project. */
export type ProjectUser = Pick<
  UserRecord,
  'id' | 'email' | 'name' | 'firstSeen' | 'lastSeen' | 'blockedAt'
>

const userTable = (
  tenantId: string,
  users: readonly ProjectUser[],
  caption: string,
  now: number,
): Html =>
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

type ProjectRemovals = Pick<Awaited<ReturnType<typeof readRemovals>>, 'removals' | 'hasMore'>

/** Users who asked to be removed. */
const removalsTable = (
  tenantId: string,
  { removals, hasMore }: ProjectRemovals,
  now: number,
): Html =>
  removals.length === 0
    ? html`<p class="none">No user has asked to be removed.</p>`
    : html`<p class="aside">Remove what your app stores about these users, then delete the user on their page. After ${REMOVAL_DAYS} days, we delete the user for you. <a href="/docs/your-data#for-owners-removal-requests">What to do</a></p>
      ${scrollTable({
        caption: hasMore ? 'The first requests; the API lists all of them' : 'By user id',
        label: 'Removal requests',
        head: [
          heading('User'),
          numberHeading('Id'),
          heading('Requested'),
          heading('Deleted at the latest'),
        ],
        rows: removals.map(
          ({ userId, email, requestedAt, dueAt }) => html`<tr>
            <td class="who"><a href="${accountPaths.user(tenantId, userId)}">${emailText(email)}</a></td>
            <td class="number">${userId}</td>
            <td>${timestamp(requestedAt, now)}</td>
            <td>${timestamp(dueAt, now)}</td>
          </tr>`,
        ),
      })}`
