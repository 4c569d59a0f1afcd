import * as z from 'zod'
import { SCOPES } from '../wire.ts'
import type { Tag } from './define-endpoint.ts'

/** Error codes that the authorization server sends in a response body (RFC 6749, 7591, 8707), with their HTTP status. */
export const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_client: 401,
  invalid_token: 401,
  too_many_requests: 429,
  server_error: 500,
  temporarily_unavailable: 503,
} as const

export type OAuthErrorName = keyof typeof OAUTH_ERRORS

/** Error codes that the authorization server adds to the redirect URI (RFC 6749, section 4.1.2.1). */
export const OAUTH_REDIRECT_ERRORS = [
  'access_denied',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'unsupported_response_type',
  'server_error',
  'temporarily_unavailable',
  'login_required',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
] as const

export type OAuthRedirectErrorName = (typeof OAUTH_REDIRECT_ERRORS)[number]

/**
 * An endpoint of the authorization server as data. The schemas document requests but do not validate them, because
 * OAuth has its own rules (unknown parameters are ignored, errors have their own shape). Tests validate every response.
 */
export interface OAuthEndpoint {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Default: OAuth. */
  readonly tag?: Tag
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: { readonly type: 'form' | 'json'; readonly schema: z.ZodObject }
  /** 303: a redirect. `null`: no body. */
  readonly ok: { readonly status: 200 | 201 | 303; readonly body: z.ZodType | null }
  readonly errors: readonly OAuthErrorName[]
  /** Browsers open it: they get errors as pages, and no client authenticates. */
  readonly forBrowsers?: true
  /** Errors that also come with another status than theirs, such as 429 for a limit of the tenant. */
  readonly alsoStatus?: Readonly<Record<number, OAuthErrorName>>
  /** Takes the parameters in the form of a POST, too. */
  readonly alsoPost?: true
  /** Errors of this request in a loopback redirect URI. `access_denied` comes later, from the consent page. */
  readonly redirects?: readonly OAuthRedirectErrorName[]
}

const OUTAGES = ['server_error', 'temporarily_unavailable'] as const

const scope = z.string().describe(`Space-separated scopes: ${SCOPES.join(', ')}.`)
const resource = z
  .string()
  .describe('The resource of the token (RFC 8707): `{base_url}/mcp`, which is also the default.')
const clientId = z
  .string()
  .describe('The client_id from registration, or the https URL of a client metadata document.')

const RegisteredClient = z
  .strictObject({
    client_id: z.string(),
    client_id_issued_at: z.int(),
    client_name: z.string().optional(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
    scope: z.string(),
  })
  .meta({ id: 'RegisteredClient' })

const OAuthTokens = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    refresh_token: z.string(),
    scope: z.string(),
    principal_type: z.enum(['account', 'guest']),
    resource: z.string(),
  })
  .meta({ id: 'OAuthTokens' })

export const OAUTH_ENDPOINTS: readonly OAuthEndpoint[] = [
  {
    id: 'registerClient',
    method: 'POST',
    path: '/oauth/register',
    summary:
      'Register a client (RFC 7591). Needs no credentials; a client has no access until a user approves it.',
    body: {
      type: 'json',
      schema: z.looseObject({
        redirect_uris: z.array(z.string()).min(1).max(10),
        client_name: z.string().optional().describe('Shown on the consent page.'),
      }),
    },
    ok: { status: 201, body: RegisteredClient },
    errors: [
      'invalid_redirect_uri',
      'invalid_client_metadata',
      'invalid_request',
      'too_many_requests',
      ...OUTAGES,
    ],
  },
  {
    id: 'authorize',
    method: 'GET',
    path: '/oauth/authorize',
    forBrowsers: true,
    summary:
      'Send a user here to approve a client. Redirects to the consent page. An error is shown here, or as JSON to a client that accepts no page; only a loopback redirect URI gets it by redirect.',
    query: z.object({
      response_type: z.literal('code'),
      client_id: clientId,
      redirect_uri: z.string().describe('A registered redirect URI, byte for byte.'),
      code_challenge: z.string().describe('PKCE is mandatory (RFC 7636).'),
      code_challenge_method: z.literal('S256'),
      state: z.string().optional(),
      scope: scope.optional(),
      resource: resource.optional(),
      account_required: z
        .enum(['true', 'false'])
        .optional()
        .describe('`true`: the consent page does not offer to continue as a guest.'),
    }),
    ok: { status: 303, body: null },
    errors: [
      'invalid_request',
      'invalid_client',
      'invalid_scope',
      'invalid_target',
      'unsupported_response_type',
      'too_many_requests',
      ...OUTAGES,
    ],
    redirects: ['invalid_request', 'invalid_scope', 'invalid_target', 'unsupported_response_type'],
  },
  {
    id: 'exchangeToken',
    method: 'POST',
    path: '/oauth/token',
    summary:
      'Exchange an authorization code or a refresh token for a token pair. Each refresh token works once.',
    body: {
      type: 'form',
      schema: z.looseObject({
        grant_type: z.enum(['authorization_code', 'refresh_token']),
        client_id: clientId,
        code: z.string().optional().describe('With authorization_code.'),
        redirect_uri: z
          .string()
          .optional()
          .describe('With authorization_code: the same as in the authorization request.'),
        code_verifier: z.string().optional().describe('With authorization_code.'),
        refresh_token: z.string().optional().describe('With refresh_token.'),
        scope: scope.optional(),
        resource: resource.optional(),
      }),
    },
    ok: { status: 200, body: OAuthTokens },
    errors: [
      'invalid_request',
      'invalid_grant',
      'invalid_scope',
      'invalid_target',
      'unsupported_grant_type',
      'invalid_client',
      ...OUTAGES,
    ],
  },
  {
    id: 'revokeToken',
    method: 'POST',
    path: '/oauth/revoke',
    summary:
      'Revoke a token and its grant (RFC 7009). Also 200 for an unknown or already revoked token.',
    body: {
      type: 'form',
      schema: z.looseObject({
        token: z.string().describe('An access or a refresh token.'),
        client_id: clientId.optional(),
        token_type_hint: z.string().optional(),
      }),
    },
    ok: { status: 200, body: z.object({}) },
    errors: ['invalid_request', ...OUTAGES],
  },
  {
    id: 'readProtectedResource',
    method: 'GET',
    path: '/.well-known/oauth-protected-resource/mcp',
    summary: 'Protected Resource Metadata (RFC 9728).',
    ok: {
      status: 200,
      body: z.looseObject({ resource: z.string(), authorization_servers: z.array(z.string()) }),
    },
    errors: [],
  },
  {
    id: 'readAuthorizationServer',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Authorization Server Metadata (RFC 8414).',
    ok: {
      status: 200,
      body: z.looseObject({
        issuer: z.string(),
        authorization_endpoint: z.string(),
        token_endpoint: z.string(),
      }),
    },
    errors: [],
  },
]
