import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { HANG_TIMEOUT_MS } from '../process/wait-until.ts'
import { listen } from '../transport/listen.ts'

/** How an endpoint handles a request: correctly, or with any fault. */
export type Script = (req: IncomingMessage, res: ServerResponse) => unknown

export interface ScriptedProvider {
  readonly issuer: string
  /** The requested paths, in order. */
  readonly requests: string[]
  /** Changes what an endpoint does from now on. */
  script(path: '/discovery' | '/token' | '/userinfo', script: Script): void
}

export const CLIENT_ID = 'client.apps.example'
export const NONCE = 'the-nonce-of-this-login'
export const ACCESS_TOKEN = 'access-token-that-no-log-may-show'

export const json =
  (body: unknown, status = 200): Script =>
  (_req, res) =>
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

/** An OpenID provider whose endpoints respond correctly until the test replaces them. */
export async function scriptedProvider(t: Pick<TestContext, 'after'>): Promise<ScriptedProvider> {
  const requests: string[] = []
  const { server, port } = await listen(t)
  // Longer than any test takes, so that no request is sent on a connection that is being closed.
  server.keepAliveTimeout = HANG_TIMEOUT_MS
  const issuer = `http://127.0.0.1:${port}`
  const scripts: Record<string, Script> = {
    '/discovery': json(metadata(issuer)),
    '/token': json(tokens(issuer)),
    '/userinfo': json(ADA),
  }
  server.on('request', (req, res) => {
    const path = req.url === '/.well-known/openid-configuration' ? '/discovery' : (req.url ?? '')
    requests.push(path)
    const script = scripts[path]
    if (script) {
      script(req, res)
    } else {
      res.writeHead(404).end()
    }
  })
  return {
    issuer,
    requests,
    script(path, script) {
      scripts[path] = script
    },
  }
}

export const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

export const ADA = {
  sub: '1815',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada Lovelace',
  picture: 'https://example.com/ada.png',
}

/** The token endpoint's response, with `claims` merged into its ID token. */
export const tokens = (issuer: string, claims: Readonly<Record<string, unknown>> = {}) => ({
  access_token: ACCESS_TOKEN,
  token_type: 'Bearer',
  expires_in: 3600,
  id_token: idToken({
    iss: issuer,
    aud: CLIENT_ID,
    sub: ADA.sub,
    nonce: NONCE,
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 3600,
    ...claims,
  }),
})

/** The signature is a placeholder: a token that comes directly from the token endpoint needs no check (OIDC Core 3.1.3.7). */
const idToken = (claims: Readonly<Record<string, unknown>>): string =>
  [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('AAAA')
    .join('.')

/**
 * Accepts any user without storing any, so that thousands can sign in at once: the code contains the nonce and the email
 * address, and the access token is the email address.
 */
export function acceptAnyUser(provider: ScriptedProvider): void {
  provider.script('/token', async (req, res) => {
    const [nonce, email = ''] = (new URLSearchParams(await text(req)).get('code') ?? '').split('~')
    json({ ...tokens(provider.issuer, { nonce, sub: email }), access_token: email })(req, res)
  })
  provider.script('/userinfo', (req, res) => {
    const email = req.headers.authorization?.slice('Bearer '.length) ?? ''
    json({ sub: email, email, email_verified: true, name: email.split('@')[0], picture: null })(
      req,
      res,
    )
  })
}

/** The callback URL to which the provider redirects the browser after this user has signed in. */
export function providerCallback(authorize: URL, email: string): URL {
  const params = authorize.searchParams
  const callback = new URL(params.get('redirect_uri') ?? '')
  callback.searchParams.set('state', params.get('state') ?? '')
  callback.searchParams.set('code', `${params.get('nonce')}~${email}`)
  return callback
}
