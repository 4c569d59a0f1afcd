/**
 * Ids of different kinds, which the compiler keeps apart: a TenantId is not accepted where an AttemptId is wanted, nor
 * an AccountId where a GrantId is. The mark exists in types only. Plain text and numbers are accepted for any kind, so
 * that what is read from a row or a request needs no constructor: its first typed field or parameter gives it its kind.
 */
declare const kind: unique symbol

export type Of<Kind extends string, T> = T & { readonly [kind]?: Kind }

export type TenantId = Of<'tenant', string>
export type AccountId = Of<'account', number>
/** One browser in which an account is signed in. */
export type AccountSessionId = Of<'account session', number>
/** A sign-in to an account that is under way. */
export type SignInId = Of<'account sign-in', string>
export type ClaimId = Of<'claim', number>
export type GrantId = Of<'grant', number>
/** One life of a tenant's social login. */
export type ResourceId = Of<'resource', number>
export type UserId = Of<'user', number>
/** A user's session in an app. */
export type SessionId = Of<'session', number>
/** A login to an app that is under way. */
export type AttemptId = Of<'attempt', string>
