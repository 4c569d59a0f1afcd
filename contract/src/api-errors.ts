/**
 * Every error code of the REST API, with its HTTP status and the meaning that `/docs/errors` prints. `retryable`: the
 * same request may succeed later.
 */
interface ApiErrorEntry {
  readonly status: number
  readonly retryable: boolean
  readonly meaning: string
}

const entry = (status: number, meaning: string, retryable = false): ApiErrorEntry => ({ status, retryable, meaning })

export const API_ERRORS = {
  invalidRequest: entry(
    400,
    'The request does not match the schema of this endpoint. `details.problems` lists each problem with its path.',
  ),
  invalidRedirectUri: entry(
    400,
    '`redirect_uri` matches no registered callback URL. `details` names the closest one and the part that differs.',
  ),
  redirectUriRequired: entry(
    400,
    'Only wildcard callbacks are registered, so the login link must include a `redirect_uri`.',
  ),
  invalidReturnTo: entry(
    400,
    '`return_to` must be a path in your app that starts with a single slash and cannot lead to another site.',
  ),
  missingCredentials: entry(401, 'This endpoint needs `Authorization: Bearer <key>`, and the request has none.'),
  invalidCredentials: entry(401, 'The key or token is unknown, expired or revoked.'),
  invalidRefreshToken: entry(401, 'The refresh token is unknown, expired or revoked. Ask the user to sign in again.'),
  refreshTokenSuperseded: entry(
    401,
    'Another request refreshed this session a moment ago and received the new pair. The session is still active.',
  ),
  refreshTokenReused: entry(
    401,
    'A refresh token was used twice, so the session was ended to protect the user. Ask them to sign in again.',
  ),
  invalidAccessToken: entry(
    401,
    'The OAuth access token is invalid, expired or revoked. Refresh it; if that fails too, sign in again.',
  ),
  signInFailed: entry(403, 'The user is not signed in: they canceled, or Google could not confirm who they are.'),
  bannedUserAgent: entry(
    403,
    'A User-Agent containing "curl" may not create tenants. Send the name of your agent instead.',
  ),
  wrongKeyKind: entry(
    403,
    'Application keys are for /edge/*. Management endpoints take the management key (svc_man_…).',
  ),
  insufficientScope: entry(403, 'The access token lacks a scope. `WWW-Authenticate` names the scope to request.'),
  accountRequired: entry(403, 'This needs an OAuth client that acts for an account. One that acts for a guest cannot.'),
  tenantPaused: entry(
    403,
    'The tenant reached a hard cap. `details.pause_reason` names it; claiming the tenant lifts the pause.',
  ),
  projectLimit: entry(
    403,
    'The account owns as many projects as it may. Delete one at /account, or ask the operator to raise the limit.',
  ),
  notProvisioned: entry(403, 'Social login is not provisioned for this tenant yet: POST /api/resources/social-login.'),
  observabilityRequiresClaim: entry(403, 'Account-wide events need an owner: claim the tenant first.'),
  loginOtherBrowser: entry(403, 'A login must be finished in the browser that started it.'),
  decisionNotOurs: entry(403, 'The consent decision did not come from the consent page in the same browser.'),
  claimUnknown: entry(404, 'The claim link is unknown, or its project was deleted. Ask the agent for a new one.'),
  tenantNotFound: entry(404, 'No tenant has this id.'),
  userNotFound: entry(404, 'This tenant has no user with this id.'),
  unknownRoute: entry(404, 'No endpoint has this path. `details.nearest` names the closest one.'),
  methodNotAllowed: entry(405, 'This path does not support this method. The `Allow` header lists those it supports.'),
  alreadyClaimed: entry(409, 'This tenant already has an owner. Nothing was changed.'),
  loginOver: entry(410, 'This login has finished, or its ten minutes have passed. Start again from the app.'),
  endpointRetired: entry(410, 'This endpoint has been replaced. The `Link` header points to its replacement.'),
  tenantExpired: entry(
    410,
    'The tenant has ended: a guest passed its 72 hours without being claimed, or its owner deleted it.',
  ),
  bodyTooLarge: entry(413, 'The body is larger than this endpoint accepts (64 KiB unless documented otherwise).'),
  unsupportedMediaType: entry(
    415,
    'Send the body as `Content-Type: application/json`, uncompressed, without `Content-Encoding`.',
  ),
  rateLimited: entry(429, 'A limit is used up. `details.window` names it; `Retry-After` says when to retry.', true),
  internalError: entry(500, 'An unexpected error in the service. The operator can find it by its request id.', true),
  temporarilyUnavailable: entry(
    503,
    'A dependency, such as the database, is unreachable. Nothing was consumed; send the same request again.',
    true,
  ),
  outcomeUnknown: entry(
    503,
    'The database became unreachable while the change was saved, so it may have been made. The message says how to find out; do not just send the request again.',
  ),
} as const satisfies Record<string, ApiErrorEntry>

export type ApiErrorCode = keyof typeof API_ERRORS

/** Errors of every endpoint with a body. */
export const BODY_ERRORS = ['unsupportedMediaType', 'bodyTooLarge'] as const satisfies readonly ApiErrorCode[]
