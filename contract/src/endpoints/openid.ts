import * as z from 'zod'
import type { ApiErrorCode } from '../api-errors.ts'
import { SAMPLE } from '../examples.ts'
import { PROVIDER_LIST } from '../providers.ts'
import { defineEndpoint } from './define-endpoint.ts'
import type { OAuthEndpoint } from './oauth.ts'

const TenantPath = z.object({ tenantId: z.string() })
const exampleParams = { tenantId: SAMPLE.tenantId }
const issuer = `{base_url}/edge/auth/${SAMPLE.tenantId}`

const DISCOVERY_ERRORS = [
  'notProvisioned',
  'tenantNotFound',
  'tenantExpired',
  'invalidRequest',
] as const satisfies readonly ApiErrorCode[]

const names = z.array(z.string())

export const readOpenIdConfiguration = defineEndpoint({
  id: 'readOpenIdConfiguration',
  method: 'GET',
  path: '/edge/auth/:tenantId/.well-known/openid-configuration',
  auth: 'none',
  summary:
    'What an OpenID library reads to sign users in, and another system to verify ID tokens (OpenID Connect Discovery).',
  tag: 'OpenID Connect',
  params: TenantPath,
  ok: {
    status: 200,
    body: z.strictObject({
      issuer: z.string(),
      authorization_endpoint: z.string(),
      token_endpoint: z.string(),
      userinfo_endpoint: z.string(),
      jwks_uri: z.string(),
      end_session_endpoint: z.string(),
      revocation_endpoint: z.string(),
      introspection_endpoint: z.string(),
      scopes_supported: names,
      response_types_supported: names,
      response_modes_supported: names,
      grant_types_supported: names,
      subject_types_supported: names,
      id_token_signing_alg_values_supported: names,
      token_endpoint_auth_methods_supported: names,
      revocation_endpoint_auth_methods_supported: names,
      introspection_endpoint_auth_methods_supported: names,
      code_challenge_methods_supported: names,
      prompt_values_supported: names,
      claims_supported: names,
      ui_locales_supported: names,
      claims_parameter_supported: z.boolean(),
      request_parameter_supported: z.boolean(),
      request_uri_parameter_supported: z.boolean(),
      require_request_uri_registration: z.boolean(),
      authorization_response_iss_parameter_supported: z.boolean(),
      service_documentation: z.string(),
    }),
  },
  errors: DISCOVERY_ERRORS,
  example: {
    params: exampleParams,
    response: {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      userinfo_endpoint: `${issuer}/oauth/userinfo`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      end_session_endpoint: `${issuer}/oauth/logout`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      introspection_endpoint: `${issuer}/oauth/introspect`,
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'none',
      ],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      claims_supported: [
        'iss',
        'sub',
        'aud',
        'iat',
        'exp',
        'auth_time',
        'email',
        'email_verified',
        'name',
        'picture',
        'sid',
        'nonce',
      ],
      ui_locales_supported: [
        'en',
        'de',
        'es',
        'fr',
        'pt-BR',
        'it',
        'nl',
        'pl',
        'ja',
        'ko',
        'zh-Hans',
        'hi',
        'ar',
      ],
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      require_request_uri_registration: false,
      authorization_response_iss_parameter_supported: true,
      service_documentation: '{base_url}/docs/openid',
    },
  },
})

const RsaKey = z.strictObject({
  kty: z.literal('RSA'),
  n: z.string(),
  e: z.string(),
  kid: z.string(),
  alg: z.literal('RS256'),
  use: z.literal('sig'),
})

const EcKey = z.strictObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
})

export const readJwks = defineEndpoint({
  id: 'readJwks',
  method: 'GET',
  path: '/edge/auth/:tenantId/.well-known/jwks.json',
  auth: 'none',
  summary:
    'The public keys of this tenant’s ID tokens. No other tenant has them. May be cached for ten minutes.',
  tag: 'OpenID Connect',
  params: TenantPath,
  ok: {
    status: 200,
    body: z.strictObject({ keys: z.array(z.union([RsaKey, EcKey])) }),
  },
  errors: DISCOVERY_ERRORS,
  example: {
    params: exampleParams,
    response: {
      keys: [
        {
          kty: 'RSA',
          n: 'wDTG0VSIvAjRcPa7lGRLHSfx-EXAMPLE',
          e: 'AQAB',
          kid: 'EXAMPLE1EXAMPLE1EXAMPLE1EXAMPLE1EXAMPLE1EXA',
          alg: 'RS256',
          use: 'sig',
        },
        {
          kty: 'EC',
          crv: 'P-256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
          kid: 'EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA',
          alg: 'ES256',
          use: 'sig',
        },
      ],
    },
  },
})

/** In documentation order. */
export const DISCOVERY_ENDPOINTS = [readOpenIdConfiguration, readJwks] as const

/** Any endpoint may respond with these. */
const OUTAGES = { 500: 'server_error', 503: 'temporarily_unavailable' } as const

/** A page says more about a project that is paused, unknown or gone. */
const OF_PROJECTS = {
  ...OUTAGES,
  403: 'temporarily_unavailable',
  404: 'invalid_client',
  410: 'invalid_client',
} as const

const clientId = z.string().describe('The tenant id.')
const clientSecret = z
  .string()
  .optional()
  .describe('The application key (`svc_app_…`). Only from a server; a page uses PKCE without it.')
const redirectUri = z.string().describe('A registered callback URL.')

const OpenIdTokens = z
  .strictObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    refresh_token: z.string(),
    id_token: z
      .string()
      .optional()
      .describe('A JWT, signed with RS256. As long as the access token.'),
    scope: z.string().optional(),
  })
  .meta({ id: 'OpenIdTokens' })

const UserInfo = z
  .strictObject({
    sub: z.string().describe('`<tenant_id>|<user id>`.'),
    email: z.string(),
    email_verified: z.literal(true),
    name: z.string().optional(),
    picture: z.string().optional(),
  })
  .meta({ id: 'UserInfo' })

const Introspection = z
  .union([
    z.strictObject({ active: z.literal(false) }),
    z.strictObject({
      active: z.literal(true),
      iss: z.string(),
      sub: z.string(),
      client_id: z.string(),
      username: z.string(),
      sid: z.string(),
      iat: z.int(),
      exp: z.int(),
      token_type: z.literal('Bearer').optional(),
    }),
  ])
  .meta({ id: 'Introspection' })

/** The endpoints that OpenID libraries call. Errors have the shape of RFC 6749. */
export const OPENID_ENDPOINTS: readonly OAuthEndpoint[] = [
  {
    id: 'authorizeOpenId',
    method: 'GET',
    path: '/edge/auth/:tenantId/oauth/authorize',
    tag: 'OpenID Connect',
    summary:
      'Send a user here to sign in (OpenID Connect Core, section 3.1.2). Takes POST, too. A wrong client_id or redirect_uri is shown as a page; any other error is in the redirect. Unknown parameters are ignored.',
    params: TenantPath,
    query: z.object({
      response_type: z.literal('code'),
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: z
        .string()
        .optional()
        .describe('With `openid` the token endpoint returns an ID token.'),
      state: z.string().max(2_048).optional().describe('Returned unchanged.'),
      nonce: z.string().max(2_048).optional().describe('In the ID token.'),
      code_challenge: z
        .string()
        .optional()
        .describe('Without it the code can be exchanged only with the application key.'),
      code_challenge_method: z.literal('S256').optional(),
      prompt: z
        .string()
        .optional()
        .describe(
          '`consent` shows the consent page, also if it is remembered. `none` is refused with `login_required`. Every sign-in is a new one.',
        ),
      login_hint: z.string().optional(),
      ui_locales: z.string().optional(),
      max_age: z.string().optional(),
      provider: z
        .string()
        .optional()
        .describe(`${PROVIDER_LIST}. Without it, and with several of them on, the user chooses.`),
      invitation: z.string().optional().describe('The secret of an invitation.'),
    }),
    ok: { status: 303, body: null },
    forBrowsers: true,
    alsoPost: true,
    alsoStatus: OF_PROJECTS,
    errors: ['invalid_request', 'invalid_client'],
    redirects: [
      'invalid_request',
      'unsupported_response_type',
      'access_denied',
      'temporarily_unavailable',
      'login_required',
      'request_not_supported',
      'request_uri_not_supported',
      'registration_not_supported',
    ],
  },
  {
    id: 'exchangeOpenIdCode',
    method: 'POST',
    path: '/edge/auth/:tenantId/oauth/token',
    tag: 'OpenID Connect',
    summary:
      'Exchange a code or a refresh token for tokens. The client is public, or sends the application key as client_secret_basic or client_secret_post.',
    params: TenantPath,
    body: {
      type: 'form',
      schema: z.looseObject({
        grant_type: z.enum(['authorization_code', 'refresh_token']),
        client_id: clientId.optional(),
        client_secret: clientSecret,
        code: z.string().optional().describe('With authorization_code.'),
        redirect_uri: z
          .string()
          .optional()
          .describe('With authorization_code: the same as in the authorization request.'),
        code_verifier: z
          .string()
          .optional()
          .describe('With authorization_code, if it began with a challenge.'),
        refresh_token: z
          .string()
          .optional()
          .describe('With refresh_token. Sent again within a minute, it returns the same tokens.'),
      }),
    },
    ok: { status: 200, body: OpenIdTokens },
    alsoStatus: { ...OUTAGES, 429: 'temporarily_unavailable' },
    errors: ['invalid_request', 'invalid_grant', 'unsupported_grant_type', 'invalid_client'],
  },
  {
    id: 'readUserInfo',
    method: 'GET',
    path: '/edge/auth/:tenantId/oauth/userinfo',
    tag: 'OpenID Connect',
    summary:
      'The user of an access token, sent as a bearer token. Takes POST, too, with the token in the form. Checked in memory, as verify.',
    params: TenantPath,
    ok: { status: 200, body: UserInfo },
    alsoPost: true,
    alsoStatus: { ...OUTAGES, 413: 'invalid_request' },
    errors: ['invalid_token', 'invalid_request'],
  },
  {
    id: 'logOutByHint',
    method: 'GET',
    path: '/edge/auth/:tenantId/oauth/logout',
    tag: 'OpenID Connect',
    summary:
      'End the session of an ID token, and send the user back (OpenID Connect RP-Initiated Logout). Takes POST, too. Without a hint nothing ends.',
    params: TenantPath,
    query: z.object({
      id_token_hint: z.string().optional().describe('Also one that has expired.'),
      client_id: clientId.optional(),
      post_logout_redirect_uri: z
        .string()
        .optional()
        .describe('At the scheme, host and port of a registered callback URL.'),
      state: z.string().optional().describe('Returned unchanged.'),
    }),
    ok: { status: 303, body: null },
    forBrowsers: true,
    alsoPost: true,
    alsoStatus: OF_PROJECTS,
    errors: ['invalid_request', 'invalid_client'],
  },
  {
    id: 'revokeOpenIdToken',
    method: 'POST',
    path: '/edge/auth/:tenantId/oauth/revoke',
    tag: 'OpenID Connect',
    summary:
      'End the session of an access or a refresh token (RFC 7009). Also 200 for an unknown token.',
    params: TenantPath,
    body: {
      type: 'form',
      schema: z.looseObject({
        token: z.string().describe('An access or a refresh token.'),
        client_id: clientId.optional(),
        client_secret: clientSecret,
        token_type_hint: z.string().optional(),
      }),
    },
    ok: { status: 200, body: z.object({}) },
    alsoStatus: OUTAGES,
    errors: ['invalid_request', 'invalid_client'],
  },
  {
    id: 'introspectToken',
    method: 'POST',
    path: '/edge/auth/:tenantId/oauth/introspect',
    tag: 'OpenID Connect',
    summary:
      'Whether an access or a refresh token is valid now, and whose it is (RFC 7662). Needs the application key. Not an event.',
    params: TenantPath,
    body: {
      type: 'form',
      schema: z.looseObject({
        token: z.string(),
        client_id: clientId.optional(),
        client_secret: clientSecret,
        token_type_hint: z.string().optional(),
      }),
    },
    ok: { status: 200, body: Introspection },
    alsoStatus: OUTAGES,
    errors: ['invalid_request', 'invalid_client'],
  },
]
