import { USER_SEARCH_MIN_CHARACTERS } from '@gatehouse/contract'
import { buttonForm } from '../../../pages/button-form.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { formatCount } from '../../../pages/text.ts'
import { accountPaths, withQuery } from '../../paths.ts'
import { consolePage, type Frame } from '../console.ts'
import { pager } from '../pager.ts'
import { type ProjectRemovals, removalsTable } from './removals-table.ts'
import { type ProjectUser, userTable } from './user-table.ts'

/** The query of the page. */
export interface UserSearch {
  readonly q: string
  readonly blocked: boolean
  /** The last user of the previous page; 0: this is the first. */
  readonly after: number
}

export interface Users {
  readonly search: UserSearch
  readonly users: readonly ProjectUser[]
  readonly hasMore: boolean
  /** How many match. */
  readonly total: number
  readonly removals: ProjectRemovals
}

/** `/account/projects/:tenantId/users`. */
export const usersPage = (frame: Frame, page: Users): Html =>
  consolePage(
    frame,
    'users',
    html`
      <h2>Users</h2>
      ${searchForm(frame.project.tenantId, page.search)}
      ${list(frame, page)}
      <h2>Export</h2>
      <p class="aside">Every user with identities, metadata and times. The export is recorded under Changes.</p>
      <div class="buttons">${exportButton(frame, 'csv', 'Export CSV')}${exportButton(frame, 'ndjson', 'Export NDJSON')}</div>
      <h2>Removal requests</h2>
      ${removalsTable(frame.project.tenantId, page.removals, frame.now)}
    `,
  )

const searchForm = (tenantId: string, { q, blocked }: UserSearch): Html =>
  html`<form class="filters" role="search" method="get" action="${accountPaths.users(tenantId)}">
    <div class="grow"><label for="q">Email address or name starts with</label>
    <input id="q" name="q" type="search" value="${q}" maxlength="254" minlength="${USER_SEARCH_MIN_CHARACTERS}" autocomplete="off" autocapitalize="none" spellcheck="false"></div>
    <label class="check"><input type="checkbox" name="blocked" value="true"${blocked && html` checked`}> Blocked only</label>
    <button class="quiet">Search</button>
  </form>`

function list({ project, now }: Frame, { search, users, hasMore, total }: Users): Html {
  const { q, blocked, after } = search
  const path = accountPaths.users(project.tenantId)
  const query = { q: q || undefined, blocked: blocked ? 'true' : undefined }
  const searched = q !== '' || blocked
  if (users.length === 0 && after === 0) {
    return searched
      ? html`<p class="none">No user matches. <a href="${path}">Show all users</a></p>`
      : html`<p class="none">No users yet. They appear here after their first sign-in.</p>`
  }
  const caption = `${formatCount(total, 'user', 'users')}${searched ? ' found' : ''}, newest first`
  return html`${userTable(project.tenantId, users, caption, now)}
    ${pager({
      label: 'Pages of users',
      first: after === 0 ? null : withQuery(path, query),
      next: hasMore ? withQuery(path, { ...query, after: users.at(-1)?.id }) : null,
    })}`
}

const exportButton = ({ csrf, project }: Frame, format: string, label: string): Html =>
  buttonForm({
    action: accountPaths.exportUsers(project.tenantId),
    csrf,
    fields: { format },
    label,
    variant: 'quiet',
  })
