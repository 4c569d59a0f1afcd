import { issuerOf, readJwks, readOpenIdConfiguration } from '@gatehouse-auth/contract'
import { OPENID_SCOPES, PROMPTS } from '../../../domain/issuer/openid-request.ts'
import { LANGUAGE_TAGS } from '../../../domain/language.ts'
import { ID_TOKEN_CLAIMS } from '../../../domain/tokens/id-token.ts'
import { readPublicKeys } from '../../../operations/issuer/public-keys.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { mount } from '../../mount-endpoint.ts'

const CACHED = 'public, max-age=600'

/** What libraries and other systems read: where the endpoints are, and the keys of ID tokens. */
export function discoveryRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mount(app, deps, readJwks, async ({ params }, c) => {
    const keys = await readPublicKeys(ctx, params.tenantId)
    c.header('Cache-Control', CACHED)
    return { keys }
  })

  mount(app, deps, readOpenIdConfiguration, async ({ params }, c) => {
    // Also while the tenant is paused or suspended: a library that gets no metadata might not ask again.
    await ctx.directory.requireProvisioned(params.tenantId, 'diagnose')
    c.header('Cache-Control', CACHED)
    return configuration(ctx.baseUrl, params.tenantId)
  })
}

/** OpenID Connect Discovery, section 3; RFC 8414, section 2; RFC 9207, section 3. */
function configuration(baseUrl: string, tenantId: string) {
  const issuer = issuerOf(baseUrl, tenantId)
  const clientSecret = ['client_secret_basic', 'client_secret_post']
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    end_session_endpoint: `${issuer}/oauth/logout`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    scopes_supported: [...OPENID_SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    // RS256 first: it is the default of libraries, and the only algorithm of many.
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    token_endpoint_auth_methods_supported: [...clientSecret, 'none'],
    revocation_endpoint_auth_methods_supported: [...clientSecret, 'none'],
    introspection_endpoint_auth_methods_supported: clientSecret,
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: [...PROMPTS],
    claims_supported: [...ID_TOKEN_CLAIMS, 'nonce'],
    ui_locales_supported: [...LANGUAGE_TAGS],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    require_request_uri_registration: false,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/docs/openid`,
  }
}
