import * as z from 'zod'
import { type ApiErrorCode, BODY_ERRORS } from '../api-errors.ts'
import { SAMPLE, SAMPLE_USER } from '../examples.ts'
import {
  AUDIENCE_MAX_CHARACTERS,
  EDGE_SESSION_SECONDS,
  EMAIL_MAX_CHARACTERS,
  ID_TOKEN_SECONDS,
  LINK_SECONDS,
} from '../limits.ts'
import { ProviderName } from '../schemas/provider.ts'
import { VerifiedUser } from '../schemas/user.ts'
import { defineEndpoint } from './define-endpoint.ts'

const TenantPath = z.object({ tenantId: z.string() })
const exampleParams = { tenantId: SAMPLE.tenantId }

/** Neither a pause nor a suspension rejects a logout. */
const LOGOUT_ERRORS = [
  'notProvisioned',
  'tenantNotFound',
  'tenantExpired',
  'invalidRequest',
] as const satisfies readonly ApiErrorCode[]

const EDGE_ERRORS = [...LOGOUT_ERRORS, 'tenantPaused', 'tenantSuspended'] as const

/** A SHA-256 hash in base64url (RFC 7636, section 4.2). */
const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** One has 50. */
const INVITATION_MAX_CHARACTERS = 100

// Edge bodies are not strict objects: unknown fields are ignored.

export const TokenPair = z
  .strictObject({
    access_token: z.string().describe('Valid for one hour.'),
    refresh_token: z.string().describe('Single use, valid for 30 days.'),
  })
  .meta({
    id: 'TokenPair',
    description: 'Store both. They replace the previous pair, which no longer works.',
  })

/** Values of `error` in the query of an app's callback. */
export const LOGIN_ERRORS = ['access_denied', 'login_failed'] as const

export type LoginError = (typeof LOGIN_ERRORS)[number]

export const startLogin = defineEndpoint({
  id: 'startLogin',
  method: 'GET',
  path: '/edge/auth/:tenantId/google',
  auth: 'none',
  summary: 'Send a user here to sign in. Redirects the browser to Google.',
  description:
    'A link for a browser. `redirect_uri` must match a registered callback URL; it defaults to the first one without a wildcard. `return_to` is a path of the app, passed back to the callback. Prefetches and `HEAD` get 503 and count nothing.',
  tag: 'Sessions',
  params: TenantPath,
  query: z.object({
    redirect_uri: z.string().optional(),
    return_to: z.string().optional(),
    login_hint: z
      .string()
      .max(EMAIL_MAX_CHARACTERS)
      .optional()
      .describe(
        'The address of the Google account to use. Passed to Google; not stored and not logged.',
      ),
    prompt: z
      .enum(['select_account', 'auto'])
      .optional()
      .describe(
        '`select_account`, the default: the provider shows its account chooser. `auto`: the provider decides. An OpenID provider that does not announce `select_account` decides by default, and gets `login` if the link has `select_account`.',
      ),
    ui_locales: z
      .string()
      .optional()
      .describe(
        'The languages of the user, best first, as in OpenID Connect: `de-CH fr`. Unknown ones are ignored.',
      ),
    invitation: z
      .string()
      .max(INVITATION_MAX_CHARACTERS)
      .optional()
      .describe(
        'From the `url` of an invitation. Counts as used when it creates a user, and not before.',
      ),
    response_type: z
      .literal('code')
      .optional()
      .describe('The callback gets a one-time `code` instead of tokens. Needs `code_challenge`.'),
    code_challenge: z
      .string()
      .regex(
        CODE_CHALLENGE,
        'Send the SHA-256 hash of your code_verifier in base64url, 43 characters.',
      )
      .optional()
      .describe('The SHA-256 hash of your `code_verifier`, in base64url.'),
    code_challenge_method: z.literal('S256').optional(),
  }),
  ok: { status: 302, body: z.undefined(), headers: ['Location', 'RateLimit', 'RateLimitPolicy'] },
  errors: [
    ...EDGE_ERRORS,
    'invalidRedirectUri',
    'redirectUriRequired',
    'invalidReturnTo',
    'codeChallengeRequired',
    'callbackHostBlocked',
    'invitationUsed',
    'invitationExpired',
    'rateLimited',
  ],
  errorPages: true,
  example: { params: exampleParams, query: { return_to: '/settings' }, response: undefined },
})

/** The link of a tenant's sign-in button. */
export const loginUrl = (baseUrl: string, tenantId: string): string =>
  baseUrl + startLogin.path.split(':tenantId').join(tenantId)

export const exchangeLoginCode = defineEndpoint({
  id: 'exchangeLoginCode',
  method: 'POST',
  path: '/edge/auth/:tenantId/token',
  auth: 'none',
  summary: 'Exchange the one-time code of a callback for the first token pair. Starts the session.',
  tag: 'Sessions',
  params: TenantPath,
  requestHeaders: {
    'Idempotency-Key':
      'A retry within 60 seconds with the same key and the same code returns the same pair.',
  },
  body: z.object({
    code: z.string().describe('Single use, valid for 60 seconds.'),
    code_verifier: z
      .string()
      .describe('The secret whose hash was the `code_challenge` of the login.'),
  }),
  ok: { status: 200, body: TokenPair },
  errors: [...EDGE_ERRORS, ...BODY_ERRORS, 'invalidCode', 'invalidRedirectUri', 'outcomeUnknown'],
  example: {
    params: exampleParams,
    body: { code: SAMPLE.loginCode, code_verifier: SAMPLE.codeVerifier },
    response: { access_token: SAMPLE.accessToken, refresh_token: SAMPLE.refreshToken },
  },
})

export const verifyAccessToken = defineEndpoint({
  id: 'verifyAccessToken',
  method: 'POST',
  path: '/edge/auth/:tenantId/verify',
  auth: 'none',
  summary: 'Verify an access token and read its user. Checked in memory, without a database query.',
  tag: 'Sessions',
  params: TenantPath,
  body: z.object({ access_token: z.string() }),
  ok: {
    status: 200,
    body: z.union([
      z.strictObject({ valid: z.literal(true), user: VerifiedUser }),
      z.strictObject({ valid: z.literal(false) }),
    ]),
  },
  // temporarilyUnavailable: with VERIFY_STALE_POLICY=closed, while the revocation feed is stale.
  errors: [...EDGE_ERRORS, ...BODY_ERRORS, 'temporarilyUnavailable'],
  example: {
    params: exampleParams,
    body: { access_token: SAMPLE.accessToken },
    response: { valid: true, user: SAMPLE_USER },
  },
})

export const refreshSession = defineEndpoint({
  id: 'refreshSession',
  method: 'POST',
  path: '/edge/auth/:tenantId/refresh',
  auth: 'none',
  summary: 'Exchange a refresh token for a new token pair. The old pair stops working immediately.',
  description:
    'Store both new tokens. 429 and 503 never consume the old one. Send one refresh at a time per session.',
  tag: 'Sessions',
  params: TenantPath,
  requestHeaders: {
    'Idempotency-Key':
      'A retry within 60 seconds with the same key and the same token returns the same pair.',
  },
  body: z.object({ refresh_token: z.string() }),
  ok: { status: 200, body: TokenPair, headers: ['RateLimit', 'RateLimitPolicy'] },
  errors: [
    ...EDGE_ERRORS,
    ...BODY_ERRORS,
    'invalidRefreshToken',
    'refreshTokenSuperseded',
    'refreshTokenReused',
    'rateLimited',
  ],
  example: {
    params: exampleParams,
    body: { refresh_token: SAMPLE.refreshToken },
    response: { access_token: SAMPLE.accessToken, refresh_token: SAMPLE.refreshToken },
  },
})

export const logOut = defineEndpoint({
  id: 'logOut',
  method: 'POST',
  path: '/edge/auth/:tenantId/logout',
  auth: 'none',
  summary: 'End the session of this refresh token. Also succeeds if the session has already ended.',
  tag: 'Sessions',
  params: TenantPath,
  body: z.object({ refresh_token: z.string() }),
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [...LOGOUT_ERRORS, ...BODY_ERRORS],
  example: {
    params: exampleParams,
    body: { refresh_token: SAMPLE.refreshToken },
    response: { success: true },
  },
})

export const createIdToken = defineEndpoint({
  id: 'createIdToken',
  method: 'POST',
  path: '/edge/auth/:tenantId/id-token',
  auth: 'none',
  summary:
    'Exchange an access token for an ID token, which other systems verify by themselves. Not an event.',
  tag: 'Sessions',
  params: TenantPath,
  body: z.object({
    access_token: z.string(),
    audience: z
      .string()
      .max(AUDIENCE_MAX_CHARACTERS)
      .optional()
      .describe('One of `id_tokens.audiences` of the settings. Default: the first.'),
  }),
  ok: {
    status: 200,
    body: z.strictObject({
      id_token: z
        .string()
        .describe(
          'A JWT, signed with ES256. The same one for a session and audience, until a minute before its end.',
        ),
      expires_in: z
        .int()
        .describe('Seconds: at most five minutes, and never longer than the access token.'),
    }),
  },
  errors: [...EDGE_ERRORS, ...BODY_ERRORS, 'idTokensOff', 'invalidAccessToken', 'rateLimited'],
  example: {
    params: exampleParams,
    body: { access_token: SAMPLE.accessToken, audience: 'my-database' },
    response: { id_token: SAMPLE.idToken, expires_in: ID_TOKEN_SECONDS },
  },
})

export const linkIdentity = defineEndpoint({
  id: 'linkIdentity',
  method: 'POST',
  path: '/edge/auth/:tenantId/link',
  auth: 'none',
  summary:
    'Get a link with which the user of an access token adds an account at another provider. The browser returns to the callback with `linked=<provider>` and no tokens, or with `error`. Not an event.',
  tag: 'Sessions',
  params: TenantPath,
  body: z.object({
    access_token: z.string(),
    provider: ProviderName,
    redirect_uri: z.string().optional().describe('A registered callback URL. Default: the first.'),
  }),
  ok: {
    status: 200,
    body: z.strictObject({
      link_url: z
        .string()
        .describe('Open it in the browser in which the user signed in last. It can be used once.'),
      expires_in: z.int().describe('Seconds.'),
    }),
  },
  errors: [
    ...EDGE_ERRORS,
    ...BODY_ERRORS,
    'invalidAccessToken',
    'providerNotEnabled',
    'invalidRedirectUri',
    'redirectUriRequired',
  ],
  example: {
    params: exampleParams,
    body: { access_token: SAMPLE.accessToken, provider: 'github' },
    response: {
      link_url: `https://base-url.invalid/auth/link/${SAMPLE.linkToken}`,
      expires_in: LINK_SECONDS,
    },
  },
})

export const openEdgeSession = defineEndpoint({
  id: 'openEdgeSession',
  method: 'POST',
  path: '/edge/session',
  auth: 'none',
  summary: 'Exchange the application key (`?key=`) for a token that is valid for one minute.',
  tag: 'Edge tokens',
  query: z.object({ key: z.string().optional() }),
  body: z.object({}).optional(),
  ok: {
    status: 200,
    body: z.strictObject({
      token: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.int(),
    }),
  },
  errors: [
    'missingCredentials',
    'invalidCredentials',
    'wrongKeyKind',
    'tenantPaused',
    'tenantSuspended',
    'tenantExpired',
    'invalidRequest',
    ...BODY_ERRORS,
  ],
  example: {
    query: { key: SAMPLE.applicationKey },
    body: {},
    response: { token: SAMPLE.edgeToken, token_type: 'Bearer', expires_in: EDGE_SESSION_SECONDS },
  },
})

export const readEdgeSession = defineEndpoint({
  id: 'readEdgeSession',
  method: 'GET',
  path: '/edge/session',
  auth: 'edge-session',
  summary: 'Read the tenant and the expiry of an edge token.',
  tag: 'Edge tokens',
  ok: {
    status: 200,
    body: z.strictObject({ tenant_id: z.string(), expires_at: z.iso.datetime() }),
  },
  errors: [
    'missingCredentials',
    'invalidCredentials',
    'tenantPaused',
    'tenantSuspended',
    'tenantExpired',
    'invalidRequest',
  ],
  example: { response: { tenant_id: SAMPLE.tenantId, expires_at: '2026-11-15T12:02:00.000Z' } },
})

/** In documentation order. */
export const SESSION_ENDPOINTS = [
  startLogin,
  exchangeLoginCode,
  verifyAccessToken,
  refreshSession,
  logOut,
  createIdToken,
  linkIdentity,
  openEdgeSession,
  readEdgeSession,
] as const
