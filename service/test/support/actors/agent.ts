import assert from 'node:assert/strict'
import type { AuthEvent, NewTenant, TenantStatus, User } from '@gatehouse-auth/contract'
import { loginUrl } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Transport } from '../transport/http-transport.ts'
import type { Browser } from './browser.ts'

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any response
  readonly json: any
}

export interface CallOptions {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Pair {
  readonly access_token: string
  readonly refresh_token: string
}

export const CALLBACK = 'https://app.example.com/callback'

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') {
    return body
  }
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

/** Calls the API the way a coding agent or an app's server does. */
export class Agent {
  readonly baseUrl: string
  readonly #transport: Transport
  readonly #clock: Clock

  constructor(baseUrl: string, transport: Transport, clock: Clock) {
    this.baseUrl = baseUrl
    this.#transport = transport
    this.#clock = clock
  }

  async call(
    method: string,
    path: string,
    { key, body, headers = {} }: CallOptions = {},
  ): Promise<ApiResponse> {
    const response = await this.#transport(new URL(path, this.baseUrl), {
      method,
      headers: {
        'User-Agent': 'test-agent/1.0',
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : bodyOf(body),
    })
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('application/json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }

  /** Creates a guest tenant and provisions it; `null` leaves it without a resource. */
  async createTenant(callbackUrls: readonly string[] | null = [CALLBACK]): Promise<Tenant> {
    // The limit is ten creations a minute for each client address.
    this.#clock.advance({ minutes: 1 })
    const response = await this.call('POST', '/api/genesis')
    assert.equal(response.status, 201, response.text)
    const tenant = new Tenant(this, response.json as z.infer<typeof NewTenant>, this.#clock)
    if (callbackUrls !== null) {
      await tenant.provision(callbackUrls)
    }
    return tenant
  }
}

/** A tenant and its keys. */
export class Tenant {
  readonly id: string
  readonly key: string
  readonly applicationKey: string
  /** The response to `POST /api/genesis`. */
  readonly created: z.infer<typeof NewTenant>
  readonly #agent: Agent
  readonly #clock: Clock

  constructor(agent: Agent, created: z.infer<typeof NewTenant>, clock: Clock) {
    this.#agent = agent
    this.created = created
    this.id = created.tenant_id
    this.key = created.coh_management_key
    this.applicationKey = created.coh_application_key
    this.#clock = clock
  }

  get loginUrl(): string {
    return loginUrl(this.#agent.baseUrl, this.id)
  }

  /** The same tenant, called through another instance. */
  at(agent: Agent): Tenant {
    return new Tenant(agent, this.created, this.#clock)
  }

  /** Sends a credential other than the management key. */
  call(method: string, path: string, bearer: string): Promise<ApiResponse> {
    return this.#agent.call(method, path, { key: bearer })
  }

  manage(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    return this.#agent.call(method, path, {
      key: this.key,
      ...(body === undefined ? {} : { body }),
    })
  }

  edge(
    action: 'token' | 'verify' | 'refresh' | 'logout' | 'id-token' | 'link',
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.#agent.call('POST', `/edge/auth/${this.id}/${action}`, { body, headers })
  }

  async provision(callbackUrls: readonly string[]): Promise<ApiResponse> {
    const response = await this.manage('POST', '/api/resources/social-login', {
      callback_urls: callbackUrls,
    })
    assert.equal(response.status, 200, response.text)
    return response
  }

  async status(): Promise<z.infer<typeof TenantStatus>> {
    return (await this.manage('GET', '/api/status')).json
  }

  async users(): Promise<User[]> {
    return (await this.manage('GET', '/api/social-login/users')).json.users
  }

  async events(query = ''): Promise<AuthEvent[]> {
    return (await this.manage('GET', `/api/social-login/events?limit=500${query}`)).json.events
  }

  async eventKinds(): Promise<string[]> {
    return (await this.events()).map(({ event }) => event)
  }

  /** Completes a login and returns the tokens. Advances the clock one minute first, so that no per-minute limit applies. */
  async signIn(
    browser: Browser,
    user = 'Ada Lovelace',
    query = '',
  ): Promise<Pair & { readonly callbackUrl: URL }> {
    this.#clock.advance({ minutes: 1 })
    await browser.open(this.loginUrl + query)
    await browser.press(user)
    const callbackUrl = await browser.press('Continue')
    const access_token = callbackUrl.searchParams.get('access_token')
    const refresh_token = callbackUrl.searchParams.get('refresh_token')
    assert.ok(
      access_token !== null && refresh_token !== null,
      `no tokens: ${browser.page.status} ${callbackUrl.origin}`,
    )
    return { access_token, refresh_token, callbackUrl }
  }

  async isValid(accessToken: string): Promise<boolean> {
    const response = await this.edge('verify', { access_token: accessToken })
    assert.equal(response.status, 200, response.text)
    return response.json.valid
  }

  async refresh(refreshToken: string): Promise<Pair> {
    const response = await this.edge('refresh', { refresh_token: refreshToken })
    assert.equal(response.status, 200, response.text)
    return response.json
  }

  async assertRefreshRejected(refreshToken: string, code: string): Promise<void> {
    const response = await this.edge('refresh', { refresh_token: refreshToken })
    assert.equal(response.json.error?.code, code, response.text)
    assert.equal('access_token' in response.json, false)
  }
}
