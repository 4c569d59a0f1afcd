import { PROVIDER_KINDS, type ProviderName, providerKind } from '@gatehouse-auth/contract'
import { isLoopbackHost, placeOf } from '../callbacks/host.ts'
import { isWildcard } from '../callbacks/parts.ts'
import { callbackFromStored, matchCallback } from '../callbacks/url.ts'
import type { UserId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'

/** How long a press of Continue is remembered. */
export const CONSENT_KEPT_MS: Duration = 30 * 24 * 3_600_000

/** Identifies a consent. */
export interface ConsentKey {
  readonly userId: UserId
  /** Host and port of the callback. */
  readonly host: string
  readonly provider: ProviderName
}

/** A press of Continue that is remembered. */
export interface RememberedConsent extends ConsentKey {
  /** Keyed hash of the browser's cookie. */
  readonly browserHash: string
  /** What the person saw of the app (`shownApp`). */
  readonly brandHash: string
  readonly at: Instant
}

interface ConsentLogin {
  readonly resource: { readonly rememberConsent: boolean; readonly callbackUrls: readonly string[] }
  readonly attempt: {
    readonly redirectUri: string
    readonly challenge: string | null
    readonly provider: ProviderName
    readonly chooser: boolean
    /** The app may ask for the page (`prompt=consent`). */
    readonly openId: { readonly asksConsent: boolean } | null
  }
}

/**
 * Whether Continue in this login is remembered. Not with tokens in the URL, and only for an exact https callback: without a
 * click, a leaked referrer, a subdomain that was taken over or a listener on a local port would be enough to get the tokens.
 */
export const canRemember = ({ resource, attempt }: ConsentLogin): boolean =>
  resource.rememberConsent &&
  attempt.challenge !== null &&
  isExact(attempt.redirectUri, resource.callbackUrls)

function isExact(redirectUri: string, callbackUrls: readonly string[]): boolean {
  const exact = callbackUrls
    .map(callbackFromStored)
    .filter(({ scheme, host }) => scheme === 'https' && !isWildcard(host) && !isLoopbackHost(host))
  return matchCallback(redirectUri, exact).ok
}

/**
 * Whether a login needs a look at the remembered consents. One deliberate click must remain, so the provider must have shown
 * its account chooser.
 */
export const maySkipConsent = (login: ConsentLogin): boolean =>
  canRemember(login) &&
  login.attempt.chooser &&
  !login.attempt.openId?.asksConsent &&
  PROVIDER_KINDS[providerKind(login.attempt.provider)].chooser

export interface ConsentFacts extends ConsentLogin {
  /** The tenant has an owner, who answers for the app. */
  readonly owned: boolean
  /** The consent of this user, callback host, provider and browser; null: there is none, or it was withdrawn. */
  readonly consent: Pick<RememberedConsent, 'brandHash' | 'at'> | null
  /** What the consent page would show of the app now. */
  readonly brandHash: string
}

/** Whether the consent page is skipped: only if all of the conditions hold (decision 58). */
export const isConsentRemembered = (facts: ConsentFacts, now: Instant): boolean =>
  facts.owned &&
  maySkipConsent(facts) &&
  facts.consent !== null &&
  now - facts.consent.at <= CONSENT_KEPT_MS &&
  facts.consent.brandHash === facts.brandHash

/** The host that a consent is for. */
export const consentHost = (redirectUri: string): string => placeOf(new URL(redirectUri))
