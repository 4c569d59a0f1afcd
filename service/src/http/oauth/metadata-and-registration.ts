import { SCOPES } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import { mcpResource } from '../../domain/oauth/grant.ts'
import { OAuthError } from '../../domain/oauth/oauth-error.ts'
import { registerClient } from '../../operations/oauth/clients.ts'
import { requestAddressKey } from '../callers/author.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { readJsonBody } from '../request/body.ts'
import { jsonProblem } from '../responses.ts'
import { allowAnyOrigin, noStoreHeaders } from './cors.ts'
import { oauthProblem } from './errors.ts'

/** Clients that do not read the metadata use paths at the root. */
const PATHS = ['/oauth/register', '/register']

/** `POST /oauth/register` (RFC 7591): accepts any metadata, and returns the values that apply to every client. */
export function registerRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  for (const path of PATHS) {
    allowAnyOrigin(app, path, 'POST')
    app.post(path, async (c) => {
      try {
        const metadata = await readMetadata(c)
        const { client, issuedAt } = await registerClient(ctx, {
          metadata,
          addressKey: requestAddressKey(deps, c),
        })
        noStoreHeaders(c)
        return c.json(
          {
            client_id: client.id,
            client_id_issued_at: Math.floor(issuedAt / 1_000),
            ...(client.name === '' ? {} : { client_name: client.name }),
            redirect_uris: client.redirectUris,
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            token_endpoint_auth_method: 'none',
            scope: SCOPES.join(' '),
          },
          201,
        )
      } catch (error) {
        return oauthProblem(deps, c, error)
      }
    })
  }
}

const BODY_MAX_BYTES = 16 * 1_024

/** A body that is not JSON is `invalid_client_metadata` too (RFC 7591, section 3.2.2). */
async function readMetadata(c: Call): Promise<unknown> {
  try {
    return await readJsonBody(c, BODY_MAX_BYTES)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'bodyTooLarge') {
      throw error
    }
    throw new OAuthError('invalid_client_metadata', error.message)
  }
}

const RESOURCE = '/.well-known/oauth-protected-resource'
const SERVER = '/.well-known/oauth-authorization-server'

/**
 * Other well-known paths that clients request. Metadata there would need another issuer, which clients must reject (RFC
 * 8414, section 3.3), so they return 404 and clients continue with the right path. The service is no OpenID provider.
 */
const UNSUPPORTED_PATHS = [
  `${SERVER}/*`,
  `${RESOURCE}/*`,
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/*',
  '/mcp/.well-known/*',
]

/** Metadata documents (RFC 9728, RFC 8414). Prevents Host header injection: every URL is built from the configured base URL. */
export function oauthMetadataRoutes(app: App, deps: HttpDependencies): void {
  const { baseUrl, clientDocuments } = deps.ctx
  const documentation = `${baseUrl}/docs`

  const resource = {
    resource: mcpResource(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Gatehouse',
    resource_documentation: documentation,
  }
  const server = {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: clientDocuments !== null,
    service_documentation: documentation,
  }

  serve(RESOURCE, resource)
  serve(`${RESOURCE}/mcp`, resource)
  serve(SERVER, server)
  for (const path of UNSUPPORTED_PATHS) {
    allowAnyOrigin(app, path, 'GET')
    app.get(path, (c) =>
      jsonProblem(
        deps,
        c,
        new ApiError('unknownRoute', `There is no document here. See ${baseUrl}${SERVER}.`),
      ),
    )
  }

  function serve(path: string, document: object): void {
    allowAnyOrigin(app, path, 'GET')
    app.get(path, (c) => {
      c.header('Cache-Control', 'public, max-age=3600')
      return c.json(document)
    })
  }
}
