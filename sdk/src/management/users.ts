import { readSuccess } from '../service/read-response.ts'
import type { ApiResponse } from '../service/send.ts'
import { bodyWith, fieldOf, json, type Manage, segment } from './manage.ts'
import type {
  ImportedUser,
  ImportReport,
  IncludeOptions,
  ManagedUser,
  PageOptions,
  UserMetadata,
  UserPage,
  UserSearch,
  UserSession,
  VersionedMetadata,
} from './user-types.ts'

export interface Users {
  /** One page by ascending id. Without `limit` and `q`: all users in one response. */
  list(search?: UserSearch): Promise<UserPage>
  /** Every user that matches, read in pages of `limit` (1,000 by default). */
  all(search?: Omit<UserSearch, 'count'>): AsyncGenerator<ManagedUser, void, undefined>
  get(id: number, options?: IncludeOptions): Promise<ManagedUser>
  /** Ends all their sessions, and rejects new sign-ins. Idempotent. */
  block(id: number): Promise<ManagedUser>
  unblock(id: number): Promise<ManagedUser>
  /** Permanent. `userNotFound` after a lost response means that it is done. */
  delete(id: number): Promise<void>
  sessions(id: number, page?: PageOptions): Promise<readonly UserSession[]>
  /** Returns how many. Their access tokens are invalid within two seconds. */
  endSessions(id: number): Promise<number>
  endSession(sessionId: number): Promise<void>
  metadata(id: number): Promise<VersionedMetadata>
  /** Replaces all fields. With `ifMatch`, throws `metadataChanged` if another request was faster. */
  setMetadata(
    id: number,
    metadata: UserMetadata,
    options?: { readonly ifMatch?: string | undefined },
  ): Promise<VersionedMetadata>
  /** A response whose body streams one user per line. Read it to its end, or cancel it. */
  export(options?: {
    readonly format?: 'ndjson' | 'csv' | undefined
    readonly signal?: AbortSignal | undefined
  }): Promise<Response>
  /** Users, or the text of an NDJSON export: at most 1,000 lines and 1 MiB. Users that exist stay as they are. */
  import(users: string | readonly ImportedUser[]): Promise<ImportReport>
}

const USERS = '/api/social-login/users'
const PAGE_LIMIT = 1_000

export function createUsers(manage: Manage, timeoutMs: number): Users {
  const pathOf = (id: number, rest = ''): string => `${USERS}/${segment(id, 'id')}${rest}`

  async function list(search: UserSearch = {}): Promise<UserPage> {
    const response = await manage('GET', USERS, { query: { ...search } })
    const { headers } = response.response
    const total = headers.get('x-total-count')
    return {
      users: fieldOf(response, 'users'),
      total: total === null ? null : Number(total),
      next: nextIn(headers.get('link')),
    }
  }

  return {
    list,
    async *all(search = {}) {
      let after: number | null | undefined = search.after
      do {
        const page: UserPage = await list({ limit: PAGE_LIMIT, ...search, after })
        yield* page.users
        after = page.next
      } while (after !== null)
    },
    get: async (id, { include } = {}) => fieldOf(await manage('GET', pathOf(id), { query: { include } }), 'user'),
    block: async (id) => fieldOf(await manage('POST', pathOf(id, '/block')), 'user'),
    unblock: async (id) => fieldOf(await manage('POST', pathOf(id, '/unblock')), 'user'),
    delete: async (id) => readSuccess(await manage('DELETE', pathOf(id))),
    sessions: async (id, page) =>
      fieldOf(await manage('GET', pathOf(id, '/sessions'), { query: { ...page } }), 'sessions'),
    endSessions: async (id) => fieldOf(await manage('DELETE', pathOf(id, '/sessions')), 'ended'),
    endSession: async (id) =>
      readSuccess(await manage('DELETE', `/api/social-login/sessions/${segment(id, 'sessionId')}`)),
    metadata: async (id) => versionOf(await manage('GET', pathOf(id, '/metadata'))),
    setMetadata: async (id, metadata, { ifMatch } = {}) =>
      versionOf(
        await manage('PUT', pathOf(id, '/metadata'), {
          ...json({ metadata }),
          headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch },
        }),
      ),
    async export({ format, signal } = {}) {
      // Ends with the headers: the body of a large project takes longer than a timeout.
      const timeout = new AbortController()
      const timer = setTimeout(() => timeout.abort(), timeoutMs)
      const options = { query: { format }, signal, timeout: timeout.signal, isStream: true }
      try {
        return (await manage('GET', '/api/social-login/export', options)).response
      } finally {
        clearTimeout(timer)
      }
    },
    import: async (users) =>
      bodyWith<ImportReport>(
        await manage('POST', '/api/social-login/import', {
          body: typeof users === 'string' ? users : users.map((user) => `${JSON.stringify(user)}\n`).join(''),
          headers: { 'Content-Type': 'application/x-ndjson' },
        }),
        'results',
      ),
  }
}

const versionOf = (response: ApiResponse): VersionedMetadata => ({
  metadata: fieldOf(response, 'metadata'),
  etag: response.response.headers.get('etag'),
})

/** `after` in the URL of the next page. The URL itself is not followed: it may name another host. */
function nextIn(link: string | null): number | null {
  const after = /[?&]after=(\d+)[^>]*>; rel="next"/.exec(link ?? '')?.[1]
  return after === undefined ? null : Number(after)
}
