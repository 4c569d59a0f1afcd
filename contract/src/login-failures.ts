import { API_ERRORS, type ApiErrorCode } from './api-errors.ts'

export const LOGIN_FAILURE_STAGES = ['token_exchange', 'userinfo', 'user_upsert'] as const

export type LoginFailureStage = (typeof LOGIN_FAILURE_STAGES)[number]

/** Errors that the provider reports by these names: RFC 6749, RFC 6750, OpenID Connect Core, and Google's own. */
export const PROVIDER_ERRORS = {
  invalid_request: 'The provider could not read the request.',
  invalid_client:
    'The provider does not accept the client id and secret of this service, or of the app’s own client.',
  invalid_grant: 'The provider rejected the authorization code: it was used, or it expired.',
  unauthorized_client: 'The provider does not allow this service to request a sign-in.',
  unsupported_grant_type: 'The provider does not support authorization codes.',
  unsupported_response_type: 'The provider does not support authorization codes.',
  invalid_scope: 'The provider rejected the requested scopes.',
  server_error: 'The provider had an internal error.',
  temporarily_unavailable: 'The provider is overloaded or in maintenance.',
  invalid_token: 'The provider rejected its own access token at userinfo.',
  insufficient_scope: 'The access token does not allow to read the profile.',
  interaction_required: 'The provider needs an action of the user that did not happen.',
  login_required: 'The user is not signed in at the provider.',
  account_selection_required: 'The user chose no account at the provider.',
  consent_required: 'The user has not agreed at the provider.',
  admin_policy_enforced:
    'The administrator of the user’s Google Workspace does not allow this sign-in.',
  org_internal: 'The Google project of this service is open to one organization only.',
  disallowed_useragent:
    'Google does not allow sign-in in the browser of another app (an embedded web view).',
  redirect_uri_mismatch: 'The redirect URI of this service is not registered at the provider.',
  deleted_client: 'The client of this service was deleted at the provider.',
} as const

/** Failures that this service recognizes itself. */
const OWN_FAILURES = {
  busy: 'Too many sign-ins were waiting for the provider.',
  timeout: 'The provider did not respond completely in time.',
  unreachable: 'The provider could not be reached: name, connection or TLS.',
  redirected: 'The provider redirected a direct request. Such redirects are not followed.',
  answer_too_large: 'The response of the provider exceeds the size limit.',
  malformed_answer:
    'The response of the provider is not the expected JSON, or lacks a required field.',
  provider_error: 'The provider reported an error that is not in this list.',
  invalid_id_token: 'The audience, nonce or validity period of the ID token does not match.',
  insecure_endpoint: 'An endpoint in the metadata of the provider does not use TLS.',
  subject_mismatch: 'The ID token and the userinfo response have different subjects.',
  subject_invalid: 'The subject is missing or cannot be stored unchanged.',
  subject_too_long: 'The subject has more than 255 characters.',
  email_missing: 'The provider returned no email address.',
  email_unverified: 'The provider has not verified the email address.',
  email_invalid: 'The email address is ambiguous.',
  not_allowed:
    'The owner of the app allows only certain Workspace domains or addresses, and this user is in none of them.',
  not_invited:
    'The owner of the app lets in only people who are invited, and this user has no invitation, or one for another address.',
  user_limit: 'The account has its maximum of stored users, and this user is new.',
  user_blocked: 'The owner of the app blocked this user.',
  storage_error: 'The user could not be stored.',
  unexpected: 'Any other error. The log of the operator has the details.',
} as const

/** Every value of `metadata.error_code` in a `login_failed` event, with its meaning. */
export const LOGIN_FAILURES = { ...OWN_FAILURES, ...PROVIDER_ERRORS } as const

export type LoginFailure = keyof typeof LOGIN_FAILURES

/** At the login link, after the provider, or when an app exchanges a one-time code. */
export const REFUSAL_STEPS = ['start', 'callback', 'exchange'] as const

export type RefusalStep = (typeof REFUSAL_STEPS)[number]

/** The API errors that are recorded as refusals. All of them are errors of an existing tenant. */
export const REFUSED_ERRORS = [
  'invalidRedirectUri',
  'redirectUriRequired',
  'invalidReturnTo',
  'invalidRequest',
  'codeChallengeRequired',
  'callbackHostBlocked',
  'providerNotEnabled',
  'invitationUsed',
  'invitationExpired',
  'invalidCode',
  'rateLimited',
  'tenantPaused',
  'tenantSuspended',
  'notProvisioned',
  'loginOver',
  'loginOtherBrowser',
] as const satisfies readonly ApiErrorCode[]

export type RefusedError = (typeof REFUSED_ERRORS)[number]

export type RefusalCode = RefusedError | LoginFailure

/** What the code means, without a value of the request. */
export const refusalMeaning = (code: RefusalCode): string =>
  code in LOGIN_FAILURES
    ? LOGIN_FAILURES[code as LoginFailure]
    : API_ERRORS[code as RefusedError].meaning
