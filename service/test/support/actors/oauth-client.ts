import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { World } from '../world.ts'
import type { ApiResponse } from './agent.ts'
import type { Browser } from './browser.ts'

export const REDIRECT = 'https://client.example.com/callback'
export const ALL_SCOPES =
  'mcp:tenants:create mcp:tenant:read mcp:resources:write mcp:feedback:write'

export type Parameters = Readonly<Record<string, string | undefined>>

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
  readonly principal_type: string
  readonly resource: string
}

export const postForm = (
  world: Pick<World, 'agent'>,
  path: string,
  form: Parameters,
): Promise<ApiResponse> =>
  world.agent.call('POST', path, {
    body: formOf(form).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })

const formOf = (form: Parameters): URLSearchParams =>
  new URLSearchParams(
    Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )

/** What the client needs from a running service. */
export type Service = Pick<World, 'agent' | 'baseUrl' | 'secrets'>

/** A public OAuth client without a library, so that a test can change any parameter. */
export class OAuthClient {
  readonly id: string
  readonly redirectUri: string
  readonly verifier = randomBytes(32).toString('base64url')
  readonly state = randomBytes(8).toString('hex')
  readonly world: Service

  constructor(world: Service, id: string, redirectUri = REDIRECT) {
    this.world = world
    this.id = id
    this.redirectUri = redirectUri
  }

  static async register(
    world: Service,
    metadata: object = {},
    redirectUri = REDIRECT,
  ): Promise<OAuthClient> {
    const body = { client_name: 'Test Client', redirect_uris: [redirectUri], ...metadata }
    const response = await world.agent.call('POST', '/oauth/register', { body })
    assert.equal(response.status, 201, response.text)
    return new OAuthClient(world, response.json.client_id, redirectUri)
  }

  get challenge(): string {
    return createHash('sha256').update(this.verifier).digest('base64url')
  }

  /** A valid authorization request with `changes`; undefined omits a parameter. */
  authorizeUrl(changes: Parameters = {}): string {
    const query = formOf({
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      code_challenge: this.challenge,
      code_challenge_method: 'S256',
      state: this.state,
      resource: `${this.world.baseUrl}/mcp`,
      ...changes,
    })
    return `${this.world.baseUrl}/oauth/authorize?${query}`
  }

  /** Opens the authorization URL, signs in if necessary, and stops at the consent page. */
  async open(browser: Browser, changes: Parameters = {}, user = 'Ada Lovelace'): Promise<void> {
    await browser.open(this.authorizeUrl(changes))
    if (!browser.page.text.includes('>Sign in with Google<')) {
      return
    }
    await browser.press('Sign in with Google')
    await browser.press(user)
  }

  /** Allows the request and returns the authorization code. */
  async code(browser: Browser, changes: Parameters = {}, user = 'Ada Lovelace'): Promise<string> {
    await this.open(browser, changes, user)
    return this.codeIn(await browser.press('Allow'))
  }

  async guestCode(browser: Browser, changes: Parameters = {}): Promise<string> {
    await browser.open(this.authorizeUrl(changes))
    return this.codeIn(await browser.press('Continue as guest'))
  }

  codeIn({ origin, pathname, searchParams }: URL): string {
    const code = searchParams.get('code')
    assert.ok(code, `no code: ${origin}${pathname} ${searchParams.get('error')}`)
    assert.equal(searchParams.get('state'), this.state)
    assert.equal(searchParams.get('iss'), this.world.baseUrl)
    this.world.secrets.add(code)
    return code
  }

  exchange(code: string, changes: Parameters = {}): Promise<ApiResponse> {
    return postForm(this.world, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: this.id,
      code,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...changes,
    })
  }

  refresh(refreshToken: string, changes: Parameters = {}): Promise<ApiResponse> {
    return postForm(this.world, '/oauth/token', {
      grant_type: 'refresh_token',
      client_id: this.id,
      refresh_token: refreshToken,
      ...changes,
    })
  }

  revoke(token: string, changes: Parameters = {}): Promise<ApiResponse> {
    return postForm(this.world, '/oauth/revoke', { token, client_id: this.id, ...changes })
  }

  /** Authorization, consent and token exchange. */
  async connect(
    browser: Browser,
    changes: Parameters = {},
    user = 'Ada Lovelace',
  ): Promise<Tokens> {
    return tokensOf(await this.exchange(await this.code(browser, changes, user)))
  }
}

export function tokensOf(response: ApiResponse): Tokens {
  assert.equal(response.status, 200, response.text)
  return response.json
}

/** The body has the fields of RFC 6749, section 5.2 and no others. */
export function assertOAuthError(response: ApiResponse, status: number, error: string): void {
  assert.equal(response.status, status, response.text)
  assert.deepEqual(Object.keys(response.json), ['error', 'error_description'], response.text)
  assert.equal(response.json.error, error, response.text)
  // One sentence, in the characters that section 5.2 allows.
  assert.match(response.json.error_description, /^[A-Z][\x20\x21\x23-\x5b\x5d-\x7e]{8,}\.$/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('location'), null)
}
