import assert from 'node:assert/strict'
import type { AuthEvent, NewTenant, TenantStatus, User } from '@gatehouse/contract'
import { loginUrl } from '@gatehouse/contract'
import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Transport } from '../transport/http-transport.ts'
import type { Browser } from './browser.ts'

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
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

  async call(method: string, path: string, { key, body, headers = {} }: CallOptions = {}): Promise<ApiResponse> {
    const response = await this.#transport(new URL(path, this.baseUrl), {
      method,
      headers: {
        'User-Agent': 'test-agent/1.0',
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
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

  /** A guest that lives on its own; `provisioned` unless told otherwise. */
  async createTenant(callbackUrls: readonly string[] | null = [CALLBACK]): Promise<Tenant> {
    // A minute later, so that one test may make more than ten.
    this.#clock.advance({ minutes: 1 })
    const made = await this.call('POST', '/api/genesis')
    assert.equal(made.status, 201, made.text)
    const tenant = new Tenant(this, made.json as z.infer<typeof NewTenant>, this.#clock)
    if (callbackUrls !== null) await tenant.provision(callbackUrls)
    return tenant
  }
}

/** One tenant, from the side of whoever holds its keys. */
export class Tenant {
  readonly id: string
  readonly key: string
  readonly applicationKey: string
  readonly made: z.infer<typeof NewTenant>
  readonly #agent: Agent
  readonly #clock: Clock

  constructor(agent: Agent, made: z.infer<typeof NewTenant>, clock: Clock) {
    this.#agent = agent
    this.made = made
    this.id = made.tenant_id
    this.key = made.coh_management_key
    this.applicationKey = made.coh_application_key
    this.#clock = clock
  }

  get loginUrl(): string {
    return loginUrl(this.#agent.baseUrl, this.id)
  }

  /** The same tenant, asked at another instance. */
  at(agent: Agent): Tenant {
    return new Tenant(agent, this.made, this.#clock)
  }

  /** With another credential than the management key. */
  call(method: string, path: string, bearer: string): Promise<ApiResponse> {
    return this.#agent.call(method, path, { key: bearer })
  }

  manage(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    return this.#agent.call(method, path, { key: this.key, ...(body === undefined ? {} : { body }) })
  }

  edge(
    act: 'verify' | 'refresh' | 'logout',
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.#agent.call('POST', `/edge/auth/${this.id}/${act}`, { body, headers })
  }

  async provision(callbackUrls: readonly string[]): Promise<ApiResponse> {
    const response = await this.manage('POST', '/api/resources/social-login', { callback_urls: callbackUrls })
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

  /** A person goes all the way; a minute later than whatever came before, so that no bucket is in the way. */
  async signIn(browser: Browser, person = 'Ada Lovelace', query = ''): Promise<Pair & { readonly landed: URL }> {
    this.#clock.advance({ minutes: 1 })
    await browser.open(this.loginUrl + query)
    await browser.press(person)
    const landed = await browser.press('Continue')
    const access_token = landed.searchParams.get('access_token')
    const refresh_token = landed.searchParams.get('refresh_token')
    assert.ok(access_token !== null && refresh_token !== null, `no tokens: ${browser.page.status} ${landed.origin}`)
    return { access_token, refresh_token, landed }
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

  /** Refused, with this code. */
  async refreshRefused(refreshToken: string, code: string): Promise<void> {
    const response = await this.edge('refresh', { refresh_token: refreshToken })
    assert.equal(response.json.error?.code, code, response.text)
    assert.equal('access_token' in response.json, false)
  }
}
