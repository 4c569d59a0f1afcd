import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import type { World } from '../world.ts'
import { type ApiResponse, CALLBACK, type Tenant } from './agent.ts'
import type { Browser } from './browser.ts'
import { challengeOf, newVerifier } from './login-code.ts'

const FORM = 'application/x-www-form-urlencoded'

interface OpenIdAppOptions {
  readonly redirectUri?: string
  /** Sends the application key as `client_secret`. */
  readonly hasSecret?: boolean
  /** Starts with a challenge. */
  readonly pkce?: boolean
}

/** One sign-in of an OpenID library, and what it remembers of it. */
interface OpenIdLogin {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly url: string
}

type Fields = Readonly<Record<string, string | undefined>>

/** An app whose library speaks OpenID Connect, as a confidential client with PKCE unless `options` say otherwise. */
export class OpenIdApp {
  readonly tenant: Tenant
  readonly issuer: string
  readonly redirectUri: string
  readonly hasSecret: boolean
  readonly pkce: boolean
  readonly #service: World

  constructor(service: World, tenant: Tenant, options: OpenIdAppOptions = {}) {
    this.#service = service
    this.tenant = tenant
    this.issuer = `${service.baseUrl}/edge/auth/${tenant.id}`
    this.redirectUri = options.redirectUri ?? CALLBACK
    this.hasSecret = options.hasSecret ?? true
    this.pkce = options.pkce ?? true
  }

  /** The authorization request. A field of `changes` that is undefined is left out. */
  start(changes: Fields = {}): OpenIdLogin {
    const verifier = newVerifier()
    const state = randomBytes(12).toString('base64url')
    const nonce = randomBytes(12).toString('base64url')
    const challenge = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
    const query = withoutUndefined({
      response_type: 'code',
      client_id: this.tenant.id,
      redirect_uri: this.redirectUri,
      scope: 'openid profile email',
      state,
      nonce,
      ...(this.pkce ? challenge : {}),
      ...changes,
    })
    const url = `${this.issuer}/oauth/authorize?${new URLSearchParams(query)}`
    return { state, nonce, verifier, url }
  }

  /** Signs a user in up to the callback. Advances the clock one minute first, so that no limit of a minute applies. */
  async signInForCode(browser: Browser, user = 'Ada Lovelace', changes: Fields = {}) {
    this.#service.clock.advance({ minutes: 1 })
    const login = this.start(changes)
    await browser.open(login.url)
    await browser.press(user)
    const callback = await browser.press('Continue')
    const code = callback.searchParams.get('code')
    assert.ok(code !== null, `no code: ${browser.page.status} ${callback.origin}`)
    return { ...login, callback, code }
  }

  /** A whole sign-in: the tokens, and the verified claims of the ID token. */
  async signIn(browser: Browser, user = 'Ada Lovelace', changes: Fields = {}) {
    const login = await this.signInForCode(browser, user, changes)
    const response = await this.exchange(login)
    assert.equal(response.status, 200, response.text)
    return { ...login, tokens: response.json, claims: await this.verify(response.json.id_token) }
  }

  exchange(
    { code, verifier }: { readonly code: string; readonly verifier: string },
    changes: Fields = {},
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirectUri,
      ...(this.pkce ? { code_verifier: verifier } : {}),
      ...changes,
    }
    return this.post('token', fields, headers)
  }

  refresh(refreshToken: string, changes: Fields = {}): Promise<ApiResponse> {
    return this.post('token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      ...changes,
    })
  }

  /** A form of this client, with its id and secret unless `fields` say otherwise. */
  post(act: string, fields: Fields, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const client = {
      client_id: this.tenant.id,
      ...(this.hasSecret ? { client_secret: this.tenant.applicationKey } : {}),
    }
    const body = new URLSearchParams(withoutUndefined({ ...client, ...fields })).toString()
    return this.#service.agent.call('POST', `/edge/auth/${this.tenant.id}/oauth/${act}`, {
      body,
      headers: { 'Content-Type': FORM, ...headers },
    })
  }

  userInfo(accessToken: string): Promise<ApiResponse> {
    return this.#service.agent.call('GET', `/edge/auth/${this.tenant.id}/oauth/userinfo`, {
      headers: { Authorization: `Bearer ${accessToken}` },
    })
  }

  read(document: string): Promise<ApiResponse> {
    return this.#service.agent.call('GET', `/edge/auth/${this.tenant.id}/.well-known/${document}`)
  }

  /** Verifies an ID token as a library does: by the published keys, RS256, issuer and audience. */
  async verify(idToken: string): Promise<JWTPayload> {
    const keys = createLocalJWKSet((await this.read('jwks.json')).json)
    const { payload } = await jwtVerify(idToken, keys, {
      issuer: this.issuer,
      audience: this.tenant.id,
      algorithms: ['RS256'],
      currentDate: new Date(this.#service.clock.now()),
    })
    return payload
  }
}

const withoutUndefined = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
