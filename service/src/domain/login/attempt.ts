import type { AuthEventKind, ProviderName } from '@gatehouse-auth/contract'
import type { AttemptId, InvitationId, ProviderClientId, SessionId, TenantId } from '../ids.ts'
import type { OpenIdRequest } from '../issuer/openid-request.ts'
import type { Duration, Instant } from '../time.ts'
import type { Profile } from './identity-provider.ts'

/** From the login link to the decision on the consent page. */
export const ATTEMPT_LIFETIME_MS: Duration = 10 * 60_000

/** A start that a browser repeats within this time is no event, until the login is decided (decision 13). */
export const REPEATED_START_MS: Duration = 60_000

/**
 * started → returned (the provider redirected back, the code is being exchanged) → identified → decided.
 * Each transition is one conditional statement, so a replay or a second tab cannot repeat it.
 */
export type AttemptStage = 'started' | 'returned' | 'identified' | 'decided'

/** The event that ended a login. */
export type LoginOutcome = Extract<AuthEventKind, 'authorize' | 'consent_denied' | 'login_failed'>

/** What a repeated decision needs to give the result of the first one. Has no secret: tokens are derived (decision 14). */
interface AttemptDecision {
  readonly outcome: LoginOutcome
  readonly at: Instant
  /** The session that the outcome `authorize` started. */
  readonly sessionId: SessionId | null
}

/** An attempt: one login in progress, from the login link to the decision. */
export interface Attempt {
  /** Public: part of the consent page's URL, and useless without the browser's cookie. */
  readonly id: AttemptId
  readonly tenantId: TenantId
  /** Matched against the callback list, and built from its parsed parts. */
  readonly redirectUri: string
  readonly returnTo: string | null
  readonly provider: ProviderName
  /** The owner's client that it began with; null: the operator's. */
  readonly providerClientId: ProviderClientId | null
  /** Keyed hash of the browser's cookie. */
  readonly browserHash: string
  /** Set if the app gets a one-time code instead of tokens; `NO_CHALLENGE` for an OpenID request without one. */
  readonly challenge: string | null
  /** null: it began at a login link of ours. */
  readonly openId: OpenIdRequest | null
  /** The invitation of the login link; null: it had none. */
  readonly invitationId: InvitationId | null
  /** The session whose user adds an identity; null: a sign-in. */
  readonly linkSessionId: SessionId | null
  /** The provider was asked to show its account chooser, by every start of this attempt. */
  readonly chooser: boolean
  /** Set in stage identified: the consent page says that Continue is remembered. */
  readonly remember: boolean
  readonly stage: AttemptStage
  /** Set in stage identified, deleted in stage decided. */
  readonly profile: Profile | null
  /** With the profile: the Workspace of the account, '' without one. Also null if an instance of the previous release wrote it. */
  readonly hostedDomain: string | null
  /** Set in stage decided. */
  readonly decision: AttemptDecision | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** What two starts of the same login have in common. With any other challenge, page, invitation or OpenID
 * request it is another login. */
export type SameStart = Pick<
  Attempt,
  | 'tenantId'
  | 'browserHash'
  | 'redirectUri'
  | 'returnTo'
  | 'provider'
  | 'challenge'
  | 'openId'
  | 'invitationId'
>

/** 16 random bytes in base64url. */
export const ATTEMPT_ID_CHARACTERS = 22

/** Other text is rejected without a query. */
const ID = new RegExp(`^[A-Za-z0-9_-]{${ATTEMPT_ID_CHARACTERS}}$`)

export const isAttemptId = (text: string): text is AttemptId => ID.test(text)

/** The content and the MAC of a link that adds an identity (operations/login/link.ts). */
export const isLinkToken = (text: string): boolean =>
  /^[A-Za-z0-9_-]{1,4000}\.[A-Za-z0-9_-]{43}$/.test(text)
