import type { Fetch, TokenPair, User } from '../types.ts'

/** A development service and the management key of your project: `base_url` and `coh_management_key` in `.service`. */
export interface TestService {
  readonly baseUrl: string
  readonly managementKey: string
  readonly fetch?: Fetch | undefined
}

export interface TestUser {
  readonly email: string
  readonly name?: string | undefined
  readonly picture?: string | undefined
  /** The provider's id for the user. Default: the one that a sign-in with this email address has. */
  readonly subject?: string | undefined
  /** How long the first access token is valid, from 5 seconds. Default: that of the service, an hour. */
  readonly accessTokenSeconds?: number | undefined
}

export interface TestSession {
  readonly user: User
  readonly tokens: TokenPair
}

/**
 * Signs a made-up user in, without a browser. The session is like any other.
 *
 * @example
 * ```ts
 * import { createTestSession } from '@gatehouse/sdk/testing'
 *
 * const service = { baseUrl: 'http://localhost:8787', managementKey: process.env.GATEHOUSE_KEY ?? '' }
 * const { user, tokens } = await createTestSession(service, { email: 'ada@example.com', accessTokenSeconds: 5 })
 * ```
 */
export async function createTestSession(
  service: TestService,
  { accessTokenSeconds, ...user }: TestUser,
): Promise<TestSession> {
  const body = { ...user, access_token_seconds: accessTokenSeconds }
  const created = (await call(service, 'POST', '/api/social-login/test-sessions', body)) as {
    readonly access_token: string
    readonly refresh_token: string
    readonly user: User
  }
  return {
    user: created.user,
    tokens: { accessToken: created.access_token, refreshToken: created.refresh_token },
  }
}

/**
 * Deletes all users of the project with their sessions and events. Call it before a test that needs an empty project.
 *
 * @example
 * ```ts
 * import { deleteUsers } from '@gatehouse/sdk/testing'
 *
 * const service = { baseUrl: 'http://localhost:8787', managementKey: process.env.GATEHOUSE_KEY ?? '' }
 * await deleteUsers(service)
 * ```
 */
export async function deleteUsers(service: TestService): Promise<void> {
  await call(service, 'DELETE', '/api/social-login/users')
}

/**
 * Pauses or ends a guest project, to see what your app shows then. Nothing lifts either but a claim of a paused project, so
 * create a project for such a test.
 *
 * @example
 * ```ts
 * import { setTenantStatus } from '@gatehouse/sdk/testing'
 *
 * const service = { baseUrl: 'http://localhost:8787', managementKey: process.env.GATEHOUSE_KEY ?? '' }
 * await setTenantStatus(service, 'paused')
 * ```
 */
export async function setTenantStatus(service: TestService, status: 'paused' | 'expired'): Promise<void> {
  await call(service, 'POST', '/api/test-status', { status })
}

async function call(service: TestService, method: string, path: string, body?: object): Promise<unknown> {
  const { origin } = developmentService(service.baseUrl)
  const fetch: Fetch = service.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const response = await fetch(origin + path, {
    method,
    headers: { Authorization: `Bearer ${service.managementKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  if (response.ok) return JSON.parse(text)
  const isMissing = response.status === 404 || response.status === 405
  const reason = isMissing ? 'This service is not a development service: it runs with a real Google.' : text
  throw new Error(`${method} ${path} responded ${response.status}. ${reason}`)
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The address of a development service: any other ignores the cookie and has none of the endpoints. */
export function developmentService(baseUrl: string): URL {
  if (URL.canParse(baseUrl)) {
    const url = new URL(baseUrl)
    if (LOOPBACK.has(url.hostname)) return url
  }
  throw new TypeError('baseUrl must be a development service on this machine, such as "http://localhost:8787".')
}
