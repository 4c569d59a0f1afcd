import { OAuthError } from '../../../domain/oauth/oauth-error.ts'
import {
  authenticateClient,
  type Client,
  type PresentedClient,
} from '../../../operations/issuer/authenticate-client.ts'
import {
  introspectToken,
  revokeToken,
  type TokenFacts,
} from '../../../operations/issuer/token-facts.ts'
import {
  exchangeOpenIdCode,
  type OpenIdTokens,
  refreshOpenIdSession,
} from '../../../operations/issuer/tokens.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { setRateHeaders } from '../../headers.ts'
import { methodNotAllowed } from '../../oauth/cors.ts'
import { readForm } from '../../request/body.ts'
import { openIdProblem } from './errors.ts'

type Handle = (form: URLSearchParams, client: Client, c: Call) => Promise<object>

/** The endpoints at which a client says who it is. */
export function tokenRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  formRoute(app, deps, 'token', async (form, client, c) => {
    const tokens = await exchange(deps, c, form, client)
    setRateHeaders(c, tokens.rate, ctx.now())
    return tokenView(tokens)
  })

  formRoute(app, deps, 'revoke', async (form, _client, c) => {
    await revokeToken(ctx, { tenantId: tenantIdOf(c), token: required(form, 'token') })
    return {}
  })

  formRoute(app, deps, 'introspect', async (form, client, c) => {
    if (!client.hasKey) {
      throw new OAuthError(
        'invalid_client',
        'Introspection needs the application key as client_secret.',
      )
    }
    await deps.stallDetector.caughtUp()
    const facts = await introspectToken(ctx, {
      tenantId: tenantIdOf(c),
      token: required(form, 'token'),
    })
    return facts === null ? { active: false } : introspectionView(tenantIdOf(c), facts)
  })
}

const tenantIdOf = (c: Call): string => c.req.param('tenantId') ?? ''

/** POST with a form, and no other method (RFC 6749, section 3.2). */
function formRoute(app: App, deps: HttpDependencies, act: string, handle: Handle): void {
  const path = `/edge/auth/:tenantId/oauth/${act}`
  app.post(path, async (c) => {
    c.set('route', path)
    try {
      const form = await readForm(c)
      const client = await authenticateClient(deps.ctx, presentedClient(c, form))
      return c.json(await handle(form, client, c), 200)
    } catch (error) {
      if (isInvalidClient(error) && c.req.header('authorization') !== undefined) {
        // Required if the client used the Authorization header (RFC 6749, section 5.2).
        c.header('WWW-Authenticate', 'Basic realm="gatehouse"')
      }
      return openIdProblem(deps, c, error)
    }
  })
  app.all(path, (c) => methodNotAllowed(c, path, ['POST', 'OPTIONS']))
}

const isInvalidClient = (error: unknown): boolean =>
  error instanceof OAuthError && error.error === 'invalid_client'

/** One method at a time: two secrets could be those of two clients. */
function presentedClient(c: Call, form: URLSearchParams): PresentedClient {
  const tenantId = tenantIdOf(c)
  const hasOrigin = c.req.header('origin') !== undefined
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  const basic = readBasic(c.req.header('authorization') ?? '')
  if (basic === null) {
    return { tenantId, clientId, secret: secret === '' ? null : secret, hasOrigin }
  }
  if (secret !== null || (clientId !== null && clientId !== basic.id)) {
    throw new OAuthError(
      'invalid_request',
      'Send the client secret once: in the header or in the form.',
    )
  }
  return { tenantId, clientId: basic.id, secret: basic.secret, hasOrigin }
}

interface BasicCredentials {
  readonly id: string
  /** null: a public client that sends its id this way. */
  readonly secret: string | null
}

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i

/** Both parts are form-encoded (RFC 6749, section 2.3.1). null: the request has no such header. */
function readBasic(authorization: string): BasicCredentials | null {
  if (!/^Basic\b/i.test(authorization)) {
    return null
  }
  const [, encoded = ''] = BASIC.exec(authorization) ?? []
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon === -1) {
    throw malformedBasic()
  }
  const secret = formDecoded(text.slice(colon + 1))
  return { id: formDecoded(text.slice(0, colon)), secret: secret === '' ? null : secret }
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformedBasic()
  }
}

const malformedBasic = (): OAuthError =>
  new OAuthError(
    'invalid_request',
    'The Authorization header is malformed: Basic, then base64 of the form-encoded client id, a colon and the secret.',
  )

function exchange(
  { ctx }: HttpDependencies,
  c: Call,
  form: URLSearchParams,
  client: Client,
): Promise<OpenIdTokens> {
  const tenantId = tenantIdOf(c)
  switch (required(form, 'grant_type')) {
    case 'authorization_code':
      return exchangeOpenIdCode(ctx, {
        tenantId,
        client,
        code: required(form, 'code'),
        redirectUri: required(form, 'redirect_uri'),
        verifier: form.get('code_verifier') || null,
      })
    case 'refresh_token':
      return refreshOpenIdSession(ctx, {
        tenantId,
        refreshToken: required(form, 'refresh_token'),
      })
    default:
      throw new OAuthError(
        'unsupported_grant_type',
        'The grants here are authorization_code and refresh_token.',
      )
  }
}

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name)
  if (value === null || value === '') {
    throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  }
  return value
}

const tokenView = ({ pair, expiresIn, idToken, scope }: OpenIdTokens) => ({
  access_token: pair.accessToken,
  token_type: 'Bearer',
  expires_in: expiresIn,
  refresh_token: pair.refreshToken,
  ...(idToken === null ? {} : { id_token: idToken }),
  ...(scope === undefined ? {} : { scope }),
})

const introspectionView = (tenantId: string, facts: TokenFacts) => ({
  active: true,
  iss: facts.issuer,
  sub: facts.subject,
  client_id: tenantId,
  username: facts.email,
  sid: facts.session,
  iat: facts.issuedAt,
  exp: facts.expiresAt,
  ...(facts.kind === 'access' ? { token_type: 'Bearer' } : {}),
})
