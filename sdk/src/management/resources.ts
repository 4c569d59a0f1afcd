import type { ProviderClients, ProviderName } from '../login/provider.ts'
import { readSuccess } from '../service/read-response.ts'
import type { ApiResponse } from '../service/send.ts'
import { bodyWith, fieldOf, hostSegment, json, type Manage, segment } from './manage.ts'
import type {
  Brand as BrandFields,
  BrandSettings,
  Claims,
  CreatedWebhook,
  Domain,
  DomainCheck,
  ImportedUser,
  ImportReport,
  Invitation,
  ManagedUser,
  NewInvitation,
  NewWebhook,
  Provider,
  ProviderTestResult,
  RotatedSecret,
  UserInclude,
  UserMetadata,
  UserSession,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookReplay,
  WebhookTestResult,
} from './types.ts'

export interface IncludeOptions {
  /** Further fields of each user. */
  readonly include?: readonly UserInclude[] | undefined
}

export interface PageOptions {
  /** Only entries with a higher id. */
  readonly after?: number | undefined
  readonly limit?: number | undefined
}

/** `email` or `q`, not both. */
export interface UserSearch extends IncludeOptions, PageOptions {
  /** The whole address, in upper or lower case. Several users can have the same one. */
  readonly email?: string | undefined
  /** The start of an address or a name, at least 2 characters. */
  readonly q?: string | undefined
  readonly blocked?: boolean | undefined
  /** Also count all users that match. */
  readonly count?: boolean | undefined
}

export interface UserPage {
  readonly users: readonly ManagedUser[]
  /** The number of all users that match, if `count` is true. */
  readonly total: number | null
  /** `after` of the next page; null on the last one. */
  readonly next: number | null
}

export interface VersionedMetadata {
  readonly metadata: UserMetadata
  /** Identifies this version: pass it as `ifMatch`. */
  readonly etag: string | null
}

export interface ClaimsOptions {
  /** Also end all sessions of the user, in the same transaction. */
  readonly endSessions?: boolean | undefined
}

export interface IdentityOptions {
  /** Which one, if the user has several identities at the provider. */
  readonly subject?: string | undefined
}

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
  /** Replaces what the project says about the user, such as a role, in their next ID token. `include: 'claims'` reads it. */
  setClaims(id: number, claims: Claims, options?: ClaimsOptions): Promise<Claims>
  deleteClaims(id: number, options?: ClaimsOptions): Promise<void>
  /** Moves all identities of the user `from` to this one, and deletes `from` with its sessions. */
  merge(id: number, from: number): Promise<ManagedUser>
  /** Never the only one. Ends all sessions of the user. */
  removeIdentity(id: number, provider: string, options?: IdentityOptions): Promise<ManagedUser>
  /** Email address, name and picture of the user are those of this identity, whichever signs in. */
  pinIdentity(
    id: number,
    provider: string,
    pinned: boolean,
    options?: IdentityOptions,
  ): Promise<ManagedUser>
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
  const identityPath = (id: number, provider: string): string =>
    pathOf(id, `/identities/${segment(provider, 'provider')}`)

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
    get: async (id, { include } = {}) =>
      fieldOf(await manage('GET', pathOf(id), { query: { include } }), 'user'),
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
    setClaims: async (id, claims, { endSessions = false } = {}) =>
      fieldOf(
        await manage('PUT', pathOf(id, '/claims'), json({ claims, end_sessions: endSessions })),
        'claims',
      ),
    deleteClaims: async (id, { endSessions } = {}) =>
      readSuccess(
        await manage('DELETE', pathOf(id, '/claims'), { query: { end_sessions: endSessions } }),
      ),
    merge: async (id, from) =>
      fieldOf(await manage('POST', pathOf(id, '/merge'), json({ from })), 'user'),
    removeIdentity: async (id, provider, { subject } = {}) =>
      fieldOf(await manage('DELETE', identityPath(id, provider), { query: { subject } }), 'user'),
    pinIdentity: async (id, provider, pinned, { subject } = {}) =>
      fieldOf(
        await manage('PATCH', identityPath(id, provider), {
          ...json({ pinned }),
          query: { subject },
        }),
        'user',
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
          body:
            typeof users === 'string'
              ? users
              : users.map((user) => `${JSON.stringify(user)}\n`).join(''),
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

export type ProviderClient<Name extends ProviderName> =
  ProviderClients[Name extends `oidc-${string}` ? 'oidc' : Name & keyof ProviderClients]

export interface Providers {
  /** What your users can sign in with, and what waits for a test sign-in. Google is always there. */
  list(): Promise<readonly Provider[]>
  /** Switches a provider on, with the client of the service. */
  share(name: ProviderName): Promise<Provider>
  /** Sets a client of your own. Sign-ins use it after a test sign-in of the owner at `/account`. */
  set<Name extends ProviderName>(name: Name, client: ProviderClient<Name>): Promise<Provider>
  /** Switches a provider off; Google returns to the client of the service. Sessions and users stay. */
  remove(name: ProviderName): Promise<void>
  /** Asks the provider whether it accepts the id and the secret of your own client. */
  test(name: ProviderName): Promise<ProviderTestResult>
}

const PROVIDERS = '/api/social-login/providers'

export function createProviders(manage: Manage): Providers {
  const pathOf = (name: string, rest = ''): string => `${PROVIDERS}/${segment(name, 'name')}${rest}`
  const replace = async (name: ProviderName, body: object): Promise<Provider> =>
    fieldOf(await manage('PUT', pathOf(name), json(body)), 'provider')
  return {
    list: async () => fieldOf(await manage('GET', PROVIDERS), 'providers'),
    share: (name) => replace(name, { mode: 'shared' }),
    set: (name, client) => replace(name, client),
    remove: async (name) => readSuccess(await manage('DELETE', pathOf(name))),
    test: async (name) =>
      bodyWith<ProviderTestResult>(await manage('POST', pathOf(name, '/test')), 'accepted'),
  }
}

/** Name, links, color and logo of your app on the consent page. For owned projects. */
export interface BrandCalls {
  /** null: none is set. */
  get(): Promise<BrandFields | null>
  /** Replaces all but the logo. */
  set(brand: BrandSettings): Promise<BrandFields>
  /** Deletes the brand and its logo. Idempotent. */
  delete(): Promise<void>
  readonly logo: {
    /** The bytes of a square PNG file of 64 to 512 pixels, at most 64 KiB. Only its pixels are kept. */
    set(png: Uint8Array): Promise<BrandFields>
    /** Idempotent. */
    delete(): Promise<void>
  }
}

/** The brand is shown to users who return to a verified domain. For owned projects. */
export interface Domains {
  list(): Promise<readonly Domain[]>
  /** Returns the DNS record or the file that verifies it. A domain that exists is returned as it is. */
  add(host: string): Promise<Domain>
  /** Looks for the record and the file now. A verified domain stays so if they are not found. */
  check(host: string): Promise<DomainCheck>
  delete(host: string): Promise<void>
}

const BRAND = '/api/social-login/brand'
const LOGO = `${BRAND}/logo`
const DOMAINS = '/api/domains'

export const createBrand = (manage: Manage): BrandCalls => ({
  get: async () => fieldOf(await manage('GET', BRAND), 'brand'),
  set: async (brand) => fieldOf(await manage('PUT', BRAND, json(brand)), 'brand'),
  delete: async () => readSuccess(await manage('DELETE', BRAND)),
  logo: {
    set: async (png) =>
      fieldOf(
        await manage('PUT', LOGO, { body: png, headers: { 'Content-Type': 'image/png' } }),
        'brand',
      ),
    delete: async () => readSuccess(await manage('DELETE', LOGO)),
  },
})

export function createDomains(manage: Manage): Domains {
  const pathOf = (host: string, rest = ''): string => `${DOMAINS}/${hostSegment(host)}${rest}`
  return {
    list: async () => fieldOf(await manage('GET', DOMAINS), 'domains'),
    add: async (host) => fieldOf(await manage('POST', DOMAINS, json({ host })), 'domain'),
    check: async (host) =>
      bodyWith<DomainCheck>(await manage('POST', pathOf(host, '/check')), 'found'),
    delete: async (host) => readSuccess(await manage('DELETE', pathOf(host))),
  }
}

/** Login links with which people become users. No mail is sent. */
export interface Invitations {
  /** `url` is returned only here. Send it to the person, or `/login?invitation=…` of your app with the same value. */
  create(invitation?: NewInvitation): Promise<Invitation>
  /** The newest first. */
  list(): Promise<readonly Invitation[]>
  /** Its link stops working at once. */
  delete(id: string): Promise<void>
}

const INVITATIONS = '/api/social-login/invitations'

export const createInvitations = (manage: Manage): Invitations => ({
  create: async (invitation = {}) =>
    fieldOf(await manage('POST', INVITATIONS, json(invitation)), 'invitation'),
  list: async () => fieldOf(await manage('GET', INVITATIONS), 'invitations'),
  delete: async (id) => {
    readSuccess(await manage('DELETE', `${INVITATIONS}/${segment(id, 'id')}`))
  },
})

export interface Webhooks {
  /** Adds an endpoint that gets the events from now on. The secret is returned only once. */
  create(webhook: NewWebhook): Promise<CreatedWebhook>
  list(): Promise<readonly Webhook[]>
  get(id: string): Promise<Webhook>
  change(id: string, change: WebhookChange): Promise<Webhook>
  delete(id: string): Promise<void>
  /** Replaces the secret. For 24 hours deliveries are signed with the old one, too. */
  rotate(id: string): Promise<RotatedSecret>
  /** Sends one `webhook.test` now. Resolves when your endpoint has answered, or after 15 seconds. */
  test(id: string): Promise<WebhookTestResult>
  /** The attempts of the last 7 days by ascending id. */
  deliveries(id: string, page?: PageOptions): Promise<readonly WebhookDelivery[]>
  /** Sends events again, with the same ids: `{ after, until }` or `{ event_ids }`. */
  replay(id: string, events: WebhookReplay): Promise<Webhook>
}

const WEBHOOKS = '/api/webhooks'

export function createWebhooks(manage: Manage): Webhooks {
  const pathOf = (id: string, rest = ''): string => `${WEBHOOKS}/${segment(id, 'id')}${rest}`
  return {
    create: async (webhook) =>
      bodyWith<CreatedWebhook>(await manage('POST', WEBHOOKS, json(webhook)), 'secret'),
    list: async () => fieldOf(await manage('GET', WEBHOOKS), 'webhooks'),
    get: async (id) => fieldOf(await manage('GET', pathOf(id)), 'webhook'),
    change: async (id, change) =>
      fieldOf(await manage('PATCH', pathOf(id), json(change)), 'webhook'),
    delete: async (id) => readSuccess(await manage('DELETE', pathOf(id))),
    rotate: async (id) =>
      bodyWith<RotatedSecret>(await manage('POST', pathOf(id, '/rotate')), 'secret'),
    test: async (id) =>
      bodyWith<WebhookTestResult>(await manage('POST', pathOf(id, '/test')), 'delivered'),
    deliveries: async (id, page) =>
      fieldOf(await manage('GET', pathOf(id, '/deliveries'), { query: { ...page } }), 'deliveries'),
    replay: async (id, events) =>
      fieldOf(await manage('POST', pathOf(id, '/replay'), json(events)), 'webhook'),
  }
}
