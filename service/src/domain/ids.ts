/**
 * Branded ids: the compiler rejects a TenantId where an AttemptId is expected, or an AccountId where a GrantId is. The
 * brand exists in types only and is optional: plain strings and numbers are accepted, so that values from rows and
 * requests need no constructor; the first typed field or parameter gives them their brand.
 */
declare const kind: unique symbol

export type Of<Kind extends string, T> = T & { readonly [kind]?: Kind }

export type TenantId = Of<'tenant', string>
export type AccountId = Of<'account', number>
/** One browser in which an account is signed in. */
export type AccountSessionId = Of<'account session', number>
/** A sign-in to an account in progress. */
export type SignInId = Of<'account sign-in', string>
export type ClaimId = Of<'claim', number>
export type GrantId = Of<'grant', number>
/** One generation of a tenant's social login: deleting and provisioning again gives a new id. */
export type ResourceId = Of<'resource', number>
export type UserId = Of<'user', number>
/** A user's session in an app. */
export type SessionId = Of<'session', number>
/** An endpoint of an app that gets events. */
export type WebhookId = Of<'webhook', string>
export type InvitationId = Of<'invitation', string>
/** A client at an identity provider. */
export type ProviderClientId = Of<'provider-client', string>
/** A login to an app in progress. */
export type AttemptId = Of<'attempt', string>
