/**
 * Every error code of the REST API, with its HTTP status, and the meaning and the remedy that `/docs/errors` prints.
 * `retryable`: the same request may succeed later.
 */
interface ApiErrorEntry {
  readonly status: number
  readonly retryable: boolean
  readonly meaning: string
  /** What the caller does about it. */
  readonly remedy: string
}

const entry = (
  status: number,
  meaning: string,
  remedy: string,
  retryable = false,
): ApiErrorEntry => ({
  status,
  retryable,
  meaning,
  remedy,
})

export const API_ERRORS = {
  invalidRequest: entry(
    400,
    'The request does not match the schema of this endpoint.',
    'Correct what `details.problems` lists: each entry has the path of a field and what to send there.',
  ),
  invalidRedirectUri: entry(
    400,
    '`redirect_uri` matches no registered callback URL.',
    'Compare it with the closest registered URL and the part that differs, both in `details`; then change the link, or add the URL to the registered ones (`provision --add`; POST /api/resources/social-login replaces the whole list). The adapters of the SDK send the address of the request: behind a proxy that replaces the Host header, set `redirectUri` in `createClient`.',
  ),
  redirectUriRequired: entry(
    400,
    'Only callback URLs with a wildcard are registered, so there is no default.',
    'Add a `redirect_uri` to the login link, or register a callback URL without a wildcard.',
  ),
  invalidReturnTo: entry(
    400,
    '`return_to` is not a path inside your app, or could not be returned byte for byte.',
    'Send a path that starts with a single slash, percent-encoded as UTF-8, at most 1,024 characters; or leave it out.',
  ),
  codeChallengeRequired: entry(
    400,
    'The owner set `callback_mode` to `code`, or the callback is an app on a device (`com.example.app:/…`), so a login must start with a `code_challenge`.',
    'Start the login with response_type=code, code_challenge and code_challenge_method=S256; `startLogin` of the SDK does. For a site, you can also set callback_mode to "either" with PATCH /api/social-login/settings.',
  ),
  webhookUrlRefused: entry(
    400,
    'A webhook cannot be sent to this URL.',
    'Send an https URL with a host name on the public internet, port 443 or above 1023, without credentials or fragment. On a local service, http to localhost works, too.',
  ),
  missingCredentials: entry(
    401,
    'This endpoint needs a credential, and the request has none.',
    'Send `Authorization: Bearer <key>` with the key or token that the endpoint takes.',
  ),
  invalidCredentials: entry(
    401,
    'The key or token is unknown, expired or revoked.',
    'Check that it was copied completely from the `.service` file. If the owner replaced the keys, download the file again at /account.',
  ),
  invalidRefreshToken: entry(
    401,
    'The refresh token is unknown, expired or revoked.',
    'Delete both tokens and ask the user to sign in again.',
  ),
  invalidCode: entry(
    401,
    'The one-time code is unknown, expired or used, or the `code_verifier` does not fit it.',
    'Exchange a code once, within 60 seconds, with the verifier whose challenge started the login. Otherwise the user signs in again.',
  ),
  refreshTokenSuperseded: entry(
    401,
    'Another request refreshed this session a moment ago and received the new pair. The session is still active.',
    'Use the pair that the other request stored. Send one refresh at a time per session.',
  ),
  refreshTokenReused: entry(
    401,
    'A refresh token was used twice, so the session was ended to protect the user.',
    'Delete both tokens and ask the user to sign in again. Store the new pair after every refresh.',
  ),
  invalidAccessToken: entry(
    401,
    'The access token is invalid, expired or revoked.',
    'Refresh it; if that fails too, sign in again.',
  ),
  signInFailed: entry(
    403,
    'The user is not signed in: they canceled, or Google could not confirm who they are.',
    'Start the sign-in again.',
  ),
  bannedUserAgent: entry(
    403,
    'A User-Agent that contains "curl" may not create tenants.',
    'Send the name of your agent as `User-Agent`.',
  ),
  wrongKeyKind: entry(
    403,
    'The key is valid, but of the other kind: management keys are for /api/*, application keys for /edge/session.',
    'Send the management key (svc_man_…) to /api/*, and the application key (svc_app_…) to /edge/session.',
  ),
  insufficientScope: entry(
    403,
    'The access token lacks a scope.',
    'Sign in again and request the scope that `WWW-Authenticate` names.',
  ),
  accountRequired: entry(
    403,
    'This needs an OAuth client that acts for an account. One that acts for a guest cannot.',
    'Connect the client again and sign in with Google.',
  ),
  tenantPaused: entry(
    403,
    'The tenant reached a hard cap, which `details.pause_reason` names.',
    'Claim the tenant: POST /api/claim/url, and let the user open the link. That lifts the pause.',
  ),
  tenantSuspended: entry(
    403,
    'The operator of this service suspended the tenant: no sign-ins, no sessions, no changes. Reading works, and nothing is lost.',
    'Read the reason in `suspension` of GET /api/status, and answer the operator: POST /api/feedback/service works. Everything continues when the suspension is lifted.',
  ),
  callbackHostBlocked: entry(
    403,
    'The operator of this service blocked the host of a callback URL, for every tenant.',
    'Use a callback URL on another host. If the block is a mistake, tell the operator: POST /api/feedback/service.',
  ),
  projectLimit: entry(
    403,
    'The account owns as many projects as it may.',
    'Delete one at /account, or ask the operator to raise the limit.',
  ),
  userLimit: entry(
    403,
    'The account of the owner stores as many users as its tier includes. Known users still sign in.',
    'Delete some: DELETE /api/social-login/users/:id.',
  ),
  userBlocked: entry(
    403,
    'The owner blocked this user, so no session can be created and no identity removed.',
    'Unblock the user first: POST /api/social-login/users/:id/unblock.',
  ),
  importRequiresClaim: entry(
    403,
    'Only a tenant with an owner can import users.',
    'Claim the tenant first: POST /api/claim/url.',
  ),
  ownerRequired: entry(
    403,
    'Only a tenant with an owner can verify domains, have a brand or its own client at an identity provider, or set `remember_consent`.',
    'Claim the tenant first: POST /api/claim/url. A guest can use shared clients of identity providers: { "mode": "shared" }.',
  ),
  providerNotEnabled: entry(
    403,
    'This app has not switched on this identity provider, or its own client there waits for the test sign-in of the owner.',
    'Switch it on with PUT /api/social-login/providers/:provider. GET /api/social-login/providers shows what is on.',
  ),
  notProvisioned: entry(
    403,
    'Social login is not provisioned for this tenant yet.',
    'Register the callback URLs of your app: POST /api/resources/social-login.',
  ),
  observabilityRequiresClaim: entry(
    403,
    'Account-wide events need an owner.',
    'Claim the tenant first: POST /api/claim/url.',
  ),
  loginOtherBrowser: entry(
    403,
    'A login must be finished in the browser that started it.',
    'Start again from the app, in one browser, with cookies allowed.',
  ),
  decisionNotOurs: entry(
    403,
    'The decision did not come from our page in the same browser.',
    'Go back to the app, start again, and press the button on the page itself.',
  ),
  linkOtherBrowser: entry(
    403,
    'The link was opened in a browser that is not signed in to the account. Nothing was changed.',
    'Sign in to the app in this browser, and start again there.',
  ),
  claimUnknown: entry(
    404,
    'The claim link is unknown, or its project was deleted.',
    'Ask the agent for a new link.',
  ),
  tenantNotFound: entry(
    404,
    'No tenant has this id.',
    'Check `tenant_id` in the `.service` file. A tenant that ended more than 30 days ago is unknown, too: create a new one.',
  ),
  idTokensOff: entry(
    404,
    'This tenant issues no ID tokens.',
    'Name the systems that may accept them: PATCH /api/social-login/settings { "id_tokens": { "audiences": ["my-database"] } }.',
  ),
  invitationNotFound: entry(
    404,
    'This tenant has no invitation with this id.',
    'List them with GET /api/social-login/invitations.',
  ),
  webhookNotFound: entry(
    404,
    'This tenant has no webhook with this id.',
    'List them with GET /api/webhooks.',
  ),
  brandNotFound: entry(
    404,
    'This tenant has no brand yet.',
    'Set its name first: PUT /api/social-login/brand.',
  ),
  domainNotFound: entry(
    404,
    'This tenant has no domain with this host.',
    'List them with GET /api/domains.',
  ),
  providerNotFound: entry(
    404,
    'There is no such identity provider, or the tenant has not set it up.',
    'Use the name of a provider, such as google or github, or an `oidc-` name of yours: GET /api/social-login/providers lists them.',
  ),
  userNotFound: entry(
    404,
    'This tenant has no user with this id.',
    'List the users with GET /api/social-login/users.',
  ),
  identityNotFound: entry(
    404,
    'This user has no identity at this provider.',
    'Read the identities of the user: GET /api/social-login/users/:id with include=identities.',
  ),
  sessionNotFound: entry(
    404,
    'This tenant has no session with this id, or it has ended.',
    'List the sessions of a user with GET /api/social-login/users/:id/sessions.',
  ),
  unknownRoute: entry(
    404,
    'No endpoint has this path.',
    'Check the path: `details.nearest` names the closest endpoint, and /openapi.json all of them.',
  ),
  methodNotAllowed: entry(
    405,
    'This path does not support this method.',
    'Use one of the methods in the `Allow` header.',
  ),
  alreadyClaimed: entry(
    409,
    'This tenant already has an owner. Nothing was changed.',
    'Nothing to do: its keys keep working, and its owner finds it at /account.',
  ),
  noSharedClient: entry(
    409,
    'This service has no client of its own at this identity provider. Nothing was changed.',
    'Register a client at the provider and send its id and secret.',
  ),
  providerLimit: entry(
    409,
    'The tenant has three `oidc-` providers, as many as it may. Nothing was changed.',
    'Remove one with DELETE /api/social-login/providers/:provider.',
  ),
  onlyIdentity: entry(
    409,
    'This is the only identity of the user: without it, they could not sign in. Nothing was changed.',
    'Delete the user instead: DELETE /api/social-login/users/:id.',
  ),
  linkRefused: entry(
    409,
    'The identity already belongs to a user of the app, or the account has ten identities. Nothing was changed.',
    'If both users are the same person, the owner of the app can merge them: POST /api/social-login/users/:id/merge.',
  ),
  mergeRefused: entry(
    409,
    'These users cannot be merged: they are the same user, only one of them is blocked, the other asked to be removed, or together they have more than ten identities. Nothing was changed.',
    'Read both users with include=blocked,identities, and change what the message names.',
  ),
  invitationLimit: entry(
    409,
    'The tenant has 1,000 invitations, used and expired ones included. Nothing was changed.',
    'Delete some: DELETE /api/social-login/invitations/:id. For many people, one invitation can have up to 10,000 uses.',
  ),
  webhookLimit: entry(
    409,
    'The tenant has as many webhooks as its tier includes, or 1,000 deliveries of this webhook already wait. Nothing was changed.',
    'Delete a webhook, or wait until its deliveries succeed.',
  ),
  domainLimit: entry(
    409,
    'The tenant has as many domains as it may. Nothing was changed.',
    'Delete one: DELETE /api/domains/:host.',
  ),
  loginOver: entry(
    410,
    'This login has finished, or its ten minutes have passed.',
    'Start again from the app.',
  ),
  linkOver: entry(
    410,
    'The link was used, its five minutes have passed, or the session that asked for it has ended.',
    'Ask for another one: POST /edge/auth/:tenantId/link.',
  ),
  endpointRetired: entry(
    410,
    'This endpoint has been replaced.',
    'Call its replacement: the `Link` header leads to the migration guide.',
  ),
  tenantExpired: entry(
    410,
    'The tenant has ended: a guest passed its 72 hours without being claimed, or its owner deleted it.',
    'Create a new tenant, if the user agrees. Its data cannot be restored.',
  ),
  invitationUsed: entry(
    410,
    'The invitation has created as many users as it may.',
    'Create another one with POST /api/social-login/invitations. People who came in with it sign in without it.',
  ),
  invitationExpired: entry(
    410,
    'The invitation has expired, was deleted, or never existed.',
    'Create another one with POST /api/social-login/invitations, and check that its link was copied completely.',
  ),
  metadataChanged: entry(
    412,
    'The metadata is not the one that `If-Match` names: another request changed it. Nothing was changed.',
    'Read the metadata and its `ETag` again, and send your change with the new one.',
  ),
  bodyTooLarge: entry(
    413,
    'The body is larger than this endpoint accepts (64 KiB unless documented otherwise).',
    'Send a smaller body.',
  ),
  unsupportedMediaType: entry(
    415,
    'The body has another media type, or it is compressed.',
    'Send it as `Content-Type: application/json` (users to import as `application/x-ndjson`, a logo as `image/png`), without `Content-Encoding`.',
  ),
  rateLimited: entry(
    429,
    'A limit is used up. `details.window` names it. Nothing was consumed.',
    'Send the request again after the seconds in `Retry-After`.',
    true,
  ),
  internalError: entry(
    500,
    'An unexpected error in the service.',
    'Try again once. If it stays, tell the operator the request id.',
    true,
  ),
  temporarilyUnavailable: entry(
    503,
    'A dependency, such as the database, is unreachable. Nothing was consumed.',
    'Send the same request again after the seconds in `Retry-After`.',
    true,
  ),
  outcomeUnknown: entry(
    503,
    'The database became unreachable while the change was saved, so it may have been made.',
    'Find out first, as the message says; do not just send the request again.',
  ),
} as const satisfies Record<string, ApiErrorEntry>

export type ApiErrorCode = keyof typeof API_ERRORS

/** Errors of every endpoint with a body. */
export const BODY_ERRORS = [
  'unsupportedMediaType',
  'bodyTooLarge',
] as const satisfies readonly ApiErrorCode[]
