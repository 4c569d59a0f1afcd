import { z } from 'zod'
import { type ApiErrorCode, BODY_ERRORS } from './api-errors.ts'
import { defineEndpoint } from './endpoint.ts'
import { SAMPLE, SAMPLE_USER } from './examples/sample.ts'
import { EDGE_SESSION_SECONDS } from './limits.ts'
import { VerifiedUser } from './user.ts'

const TenantPath = z.object({ tenantId: z.string() })
const exampleParams = { tenantId: SAMPLE.tenantId }

const EDGE_ERRORS = [
  'notProvisioned',
  'tenantNotFound',
  'tenantPaused',
  'tenantExpired',
  'invalidRequest',
] as const satisfies readonly ApiErrorCode[]

// Edge bodies are plain objects, not strict ones: an app may send fields of its own, and they are ignored.

export const TokenPair = z
  .strictObject({
    access_token: z.string().describe('Good for an hour.'),
    refresh_token: z.string().describe('Good once, within 30 days.'),
  })
  .meta({ id: 'TokenPair', description: 'Store both: the pair before it has ended.' })

/** What the callback of an app hears as `error`, instead of tokens. */
export const LOGIN_ERRORS = ['access_denied', 'login_failed'] as const

export type LoginError = (typeof LOGIN_ERRORS)[number]

export const startLogin = defineEndpoint({
  id: 'startLogin',
  method: 'GET',
  path: '/edge/auth/:tenantId/google',
  auth: 'none',
  summary: 'Send a person here to sign in. The browser is redirected to Google.',
  tag: 'Sessions',
  params: TenantPath,
  query: z.object({ redirect_uri: z.string().optional(), return_to: z.string().optional() }),
  ok: { status: 302, body: z.undefined() },
  errors: [...EDGE_ERRORS, 'invalidRedirectUri', 'redirectUriRequired', 'invalidReturnTo', 'rateLimited'],
  example: { params: exampleParams, query: { return_to: '/settings' }, response: undefined },
})

/** The link of a tenant's sign-in button. */
export const loginUrl = (baseUrl: string, tenantId: string): string =>
  baseUrl + startLogin.path.split(':tenantId').join(tenantId)

export const verifyAccessToken = defineEndpoint({
  id: 'verifyAccessToken',
  method: 'POST',
  path: '/edge/auth/:tenantId/verify',
  auth: 'none',
  summary: 'Is this access token good right now, and whose is it? Checked in memory; no database is asked.',
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
  // Listed here because the operator may want it so: an instance that hears of no revocations then says nothing.
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
  summary: 'Trade a refresh token for a new pair. The old pair stops working at once.',
  tag: 'Sessions',
  params: TenantPath,
  body: z.object({ refresh_token: z.string() }),
  ok: { status: 200, body: TokenPair },
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
  summary: 'End the session of this refresh token. Also succeeds when it has already ended.',
  tag: 'Sessions',
  params: TenantPath,
  body: z.object({ refresh_token: z.string() }),
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [...EDGE_ERRORS, ...BODY_ERRORS],
  example: { params: exampleParams, body: { refresh_token: SAMPLE.refreshToken }, response: { success: true } },
})

export const openEdgeSession = defineEndpoint({
  id: 'openEdgeSession',
  method: 'POST',
  path: '/edge/session',
  auth: 'none',
  summary: 'Trade the application key (`?key=`, the one place where it may travel) for a token that lives a minute.',
  tag: 'Edge tokens',
  query: z.object({ key: z.string().optional() }),
  body: z.object({}).optional(),
  ok: {
    status: 200,
    body: z.strictObject({ token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() }),
  },
  errors: [
    'missingCredentials',
    'invalidCredentials',
    'wrongKeyKind',
    'tenantPaused',
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
  summary: 'Whose edge token is this, and until when?',
  tag: 'Edge tokens',
  ok: { status: 200, body: z.strictObject({ tenant_id: z.string(), expires_at: z.iso.datetime() }) },
  errors: ['missingCredentials', 'invalidCredentials', 'tenantPaused', 'tenantExpired', 'invalidRequest'],
  example: { response: { tenant_id: SAMPLE.tenantId, expires_at: '2026-11-15T12:02:00.000Z' } },
})

/** In documentation order. */
export const SESSION_ENDPOINTS = [
  startLogin,
  verifyAccessToken,
  refreshSession,
  logOut,
  openEdgeSession,
  readEdgeSession,
] as const
