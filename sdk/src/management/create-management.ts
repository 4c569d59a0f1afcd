import { readConnection, requireServer, serverFetch } from '../service/connection.ts'
import { createSend } from '../service/send.ts'
import type { Fetch } from '../types.ts'
import { bodyWith, createManage, fieldOf, json, MANAGEMENT_ERRORS } from './manage.ts'
import {
  type BrandCalls,
  createBrand,
  createDomains,
  createInvitations,
  createProviders,
  createUsers,
  createWebhooks,
  type Domains,
  type Invitations,
  type PageOptions,
  type Providers,
  type Users,
  type Webhooks,
} from './resources.ts'
import type {
  AuditEntry,
  AuthEvent,
  AuthEventKind,
  Refusal,
  RemovalRequest,
  SocialLoginSettings,
} from './types.ts'

export interface EventQuery extends PageOptions {
  readonly user_id?: number | undefined
  readonly event?: AuthEventKind | undefined
  /** Seconds to wait for a new event: at most 25, and less than `timeoutMs`. */
  readonly wait?: number | undefined
}

export interface ManagementOptions {
  /** The address of the service, `base_url` in your credentials file. */
  readonly baseUrl: string
  /** `coh_management_key` in your credentials file. It manages the whole project: keep it on your server. */
  readonly key: string | undefined
  readonly fetch?: Fetch | undefined
  /** Timeout of one request. Default 30 seconds. */
  readonly timeoutMs?: number | undefined
}

/** The management calls of your project. Fields have the names of the API. */
export interface Management {
  readonly users: Users
  readonly webhooks: Webhooks
  readonly settings: {
    get(): Promise<SocialLoginSettings>
    /** Fields that are absent keep their value. Returns all settings. */
    change(changes: Partial<SocialLoginSettings>): Promise<SocialLoginSettings>
  }
  readonly providers: Providers
  readonly brand: BrandCalls
  readonly domains: Domains
  readonly invitations: Invitations
  /** The users who asked that their data is removed, by ascending id: remove what your app stores, then delete them. */
  readonly removals: { list(page?: PageOptions): Promise<readonly RemovalRequest[]> }
  /** Why sign-ins of the last 24 hours did not work, the newest kind first. */
  readonly refusals: { list(): Promise<readonly Refusal[]> }
  /** Who did what, by ascending id. */
  readonly audit: { list(page?: PageOptions): Promise<readonly AuditEntry[]> }
  /** Logins, denials, failures, refreshes and logouts, by ascending id. */
  readonly events: { list(query?: EventQuery): Promise<readonly AuthEvent[]> }
}

const KEY = /^svc_man_[\w-]+$/

/** A webhook test waits 15 seconds for your endpoint, and `events.list` 25 for an event. */
const TIMEOUT_MS = 30_000

const SETTINGS = '/api/social-login/settings'

/**
 * Finds, blocks, deletes, exports and imports users, and manages settings, providers, brand, domains and webhooks. For your
 * server only.
 *
 * @example
 * ```ts
 * import { createManagement, ManagementError } from '@gatehouse-auth/sdk/management'
 *
 * const key = process.env.GATEHOUSE_MANAGEMENT_KEY ?? 'svc_man_example'
 * const management = createManagement({ baseUrl: 'https://login.example.com', key })
 * for await (const user of management.users.all({ q: 'ada' })) console.log(user.email)
 * try {
 *   await management.users.block(1)
 * } catch (error) {
 *   if (!(error instanceof ManagementError && error.code === 'userNotFound')) throw error
 *   console.log('This user has been deleted.')
 * }
 * ```
 */
export function createManagement({ key, ...options }: ManagementOptions): Management {
  requireServer('key')
  // Before `fetch` sees it: the error for an invalid header prints the header.
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new TypeError(
      'key must be coh_management_key of your credentials file. It starts with "svc_man_".',
    )
  }
  const connection = readConnection({ ...options, fetch: serverFetch(options.fetch) }, TIMEOUT_MS)
  const manage = createManage(createSend(connection, MANAGEMENT_ERRORS), key)
  return {
    users: createUsers(manage, connection.timeoutMs),
    webhooks: createWebhooks(manage),
    settings: {
      get: async () =>
        bodyWith<SocialLoginSettings>(await manage('GET', SETTINGS), 'callback_mode'),
      change: async (changes) =>
        bodyWith<SocialLoginSettings>(
          await manage('PATCH', SETTINGS, json(changes)),
          'callback_mode',
        ),
    },
    providers: createProviders(manage),
    brand: createBrand(manage),
    domains: createDomains(manage),
    invitations: createInvitations(manage),
    removals: {
      list: async (page) =>
        fieldOf(
          await manage('GET', '/api/social-login/removals', { query: { ...page } }),
          'removals',
        ),
    },
    refusals: {
      list: async () => fieldOf(await manage('GET', '/api/social-login/refusals'), 'refusals'),
    },
    audit: {
      list: async (page) =>
        fieldOf(await manage('GET', '/api/audit', { query: { ...page } }), 'actions'),
    },
    events: {
      list: async (query) =>
        fieldOf(await manage('GET', '/api/social-login/events', { query: { ...query } }), 'events'),
    },
  }
}
