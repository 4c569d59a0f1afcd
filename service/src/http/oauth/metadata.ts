import { SCOPES } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { mcpResource } from '../../domain/oauth/resource.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { jsonProblem } from '../responses.ts'
import { allowAnyOrigin } from './cors.ts'

const RESOURCE = '/.well-known/oauth-protected-resource'
const SERVER = '/.well-known/oauth-authorization-server'

/**
 * Where clients also look. A document there would have to name another issuer than ours, and clients must refuse such
 * a document; a plain "no" sends them on to the right place. We are no OpenID provider, and do not look like one.
 */
const NOTHING_HERE = [
  `${SERVER}/*`,
  `${RESOURCE}/*`,
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/*',
  '/mcp/.well-known/*',
]

/** RFC 9728 and RFC 8414. Every address in them is made from base_url, whatever host was asked. */
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
  for (const path of NOTHING_HERE) {
    allowAnyOrigin(app, path, 'GET')
    app.get(path, (c) =>
      jsonProblem(deps, c, new ApiError('unknownRoute', `There is no document here. See ${baseUrl}${SERVER}.`)),
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
