/**
 * Every way the service says no, in one closed list: the code is the identity, the status is looked up here, and the
 * meaning is what `/docs/errors` prints. `retryable`: the very same request may succeed later.
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
    'The request does not fit this endpoint. `details.problems` names each problem by its path.',
  ),
  invalidRedirectUri: entry(
    400,
    'The redirect_uri matches no registered callback URL. `details` names the closest one and what differs.',
  ),
  redirectUriRequired: entry(
    400,
    'Only wildcard callbacks are registered, so the login link must carry a redirect_uri.',
  ),
  invalidReturnTo: entry(
    400,
    'return_to must be a path inside the app: one leading slash, nothing that leads to another site.',
  ),
  missingCredentials: entry(401, 'This endpoint needs `Authorization: Bearer <key>`, and none was sent.'),
  invalidCredentials: entry(401, 'The key or token is not one of ours, or it has ended.'),
  invalidRefreshToken: entry(401, 'The refresh token is unknown, expired or already ended. The person signs in again.'),
  refreshTokenSuperseded: entry(
    401,
    'Another request refreshed this session a moment ago and holds the new pair. The session lives.',
  ),
  refreshTokenReused: entry(
    401,
    'A spent refresh token came back, so the session was ended to protect the person. They sign in again.',
  ),
  invalidAccessToken: entry(
    401,
    'The OAuth access token is not good here, now: refresh it, and sign in again when that is refused too.',
  ),
  signInFailed: entry(403, 'The person is not signed in: they cancelled, or Google could not confirm who they are.'),
  bannedUserAgent: entry(
    403,
    'A User-Agent containing "curl" may not create tenants. Send the name of your agent instead.',
  ),
  wrongKeyKind: entry(
    403,
    'Application keys are for /edge/*. Management endpoints take the management key (svc_man_…).',
  ),
  insufficientScope: entry(403, 'The sign-in does not cover this. `WWW-Authenticate` names the scope to ask for.'),
  accountRequired: entry(
    403,
    'This needs a client that somebody signed in to. One that acts for a guest cannot do it.',
  ),
  tenantPaused: entry(
    403,
    'The tenant used up a hard cap. `details.pause_reason` says which; claiming the tenant lifts the pause.',
  ),
  notProvisioned: entry(403, 'Social login is not provisioned for this tenant yet: POST /api/resources/social-login.'),
  observabilityRequiresClaim: entry(403, 'The account-wide tail belongs to an owner: claim the tenant first.'),
  loginOtherBrowser: entry(403, 'A login must be finished in the browser that started it.'),
  decisionNotOurs: entry(403, 'The consent decision did not come from our own page in the same browser.'),
  claimUnknown: entry(404, 'The claim link is not one of ours, or its project is gone. Ask the agent for a new one.'),
  tenantNotFound: entry(404, 'No tenant has this id.'),
  userNotFound: entry(404, 'This tenant has no user with this id.'),
  unknownRoute: entry(404, 'There is nothing at this address. `details.nearest` names the closest real endpoint.'),
  methodNotAllowed: entry(405, 'This address exists, but not for this method. The Allow header lists those it takes.'),
  alreadyClaimed: entry(409, 'This tenant already has an owner. Nothing was changed.'),
  loginOver: entry(410, 'This login was already finished, or its ten minutes passed. Start again from the app.'),
  endpointRetired: entry(410, 'This endpoint has been replaced. The `Link` header leads to what to do instead.'),
  tenantExpired: entry(
    410,
    'The tenant has ended: a guest passed its 72 hours without being claimed, or its owner deleted it.',
  ),
  bodyTooLarge: entry(413, 'The body is larger than this endpoint takes (64 KiB unless it says otherwise).'),
  unsupportedMediaType: entry(415, 'Send the body as `Content-Type: application/json`.'),
  rateLimited: entry(
    429,
    'An allowance is used up. `details.window` says which; Retry-After says when to come back.',
    true,
  ),
  internalError: entry(500, 'We made a mistake. The request id lets the operator find it.', true),
  temporarilyUnavailable: entry(
    503,
    'Something we depend on is out of reach. Nothing was consumed; send the same request again.',
    true,
  ),
} as const satisfies Record<string, ApiErrorEntry>

export type ApiErrorCode = keyof typeof API_ERRORS

/** Of every endpoint that takes a body. */
export const BODY_ERRORS = ['unsupportedMediaType', 'bodyTooLarge'] as const satisfies readonly ApiErrorCode[]
