import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import type { Context } from '../../operations/context.ts'
import { requireClientId } from '../../operations/oauth/clients.ts'
import {
  exchangeCode,
  type IssuedTokens,
  refreshGrant,
  revokeToken,
} from '../../operations/oauth/tokens.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { readForm } from '../request/body.ts'
import { allowAnyOrigin, noStoreHeaders } from './cors.ts'
import { oauthProblem } from './errors.ts'

/** Clients that do not read the metadata use paths at the root. */
const PATHS = ['/oauth/token', '/token']

/** `POST /oauth/token`: exchanges a code or a refresh token for a token pair. No other grant (spec, Authentication 6). */
export function tokenRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  for (const path of PATHS) {
    allowAnyOrigin(app, path, 'POST')
    app.post(path, async (c) => {
      try {
        const issued = await exchangeGrant(ctx, await readForm(c))
        noStoreHeaders(c)
        return c.json(tokenView(issued))
      } catch (error) {
        const isInvalidClient = error instanceof OAuthError && error.error === 'invalid_client'
        if (!isInvalidClient || c.req.header('authorization') === undefined) {
          return oauthProblem(deps, c, error)
        }
        // Required if the client used the Authorization header (RFC 6749, section 5.2).
        c.header('WWW-Authenticate', 'Basic realm="gatehouse"')
        return oauthProblem(deps, c, publicClientsOnly())
      }
    })
  }
}

function exchangeGrant(ctx: Context, form: URLSearchParams): Promise<IssuedTokens> {
  const grantType = required(form, 'grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new OAuthError(
      'unsupported_grant_type',
      'The grants here are authorization_code and refresh_token.',
    )
  }
  const clientId = requireClientId(ctx, form.get('client_id') ?? undefined)
  const resource = form.get('resource') ?? undefined
  return grantType === 'authorization_code'
    ? exchangeCode(ctx, {
        clientId,
        resource,
        code: required(form, 'code'),
        redirectUri: required(form, 'redirect_uri'),
        verifier: required(form, 'code_verifier'),
      })
    : refreshGrant(ctx, {
        clientId,
        resource,
        refreshToken: required(form, 'refresh_token'),
        scope: form.get('scope') ?? undefined,
      })
}

const publicClientsOnly = (): OAuthError =>
  new OAuthError(
    'invalid_client',
    'Clients are public here and have no secret. Send no Authorization header, and send client_id as a parameter of the form (token_endpoint_auth_method none).',
  )

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name)
  if (value === null || value === '') {
    throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  }
  return value
}

const tokenView = ({
  accessToken,
  refreshToken,
  expiresInSeconds,
  scopes,
  grant,
}: IssuedTokens) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: expiresInSeconds,
  refresh_token: refreshToken,
  scope: scopes.join(' '),
  principal_type: grant.subject.kind,
  resource: grant.resource,
})

const PATH = '/oauth/revoke'

/**
 * RFC 7009: 200 for any token, known or not (section 2.2). The body is `{}`, because many clients parse every response. Prevents a false success: if the token could not be revoked, the
 * response is an error (fosite CVE-2020-15223).
 */
export function revokeRoutes(app: App, deps: HttpDependencies): void {
  allowAnyOrigin(app, PATH, 'POST')
  app.post(PATH, async (c) => {
    try {
      const form = await readForm(c)
      const token = form.get('token')
      if (token === null || token === '') {
        throw new OAuthError('invalid_request', 'The parameter token is missing.')
      }
      await revokeToken(deps.ctx, { token, clientId: form.get('client_id') ?? undefined })
      noStoreHeaders(c)
      return c.json({}, 200)
    } catch (error) {
      return oauthProblem(deps, c, error)
    }
  })
}
