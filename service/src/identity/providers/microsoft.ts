import type { IdentityProvider } from '../../domain/login/identity-provider.ts'
import { type ReadProfile, readProfile } from '../../domain/login/profile.ts'
import type { ProviderFetch } from '../bounded-fetch.ts'
import { type Claims, openIdProvider } from '../openid-provider.ts'

interface MicrosoftConfig {
  /** The id of a directory, or `common`, `organizations` or `consumers`. */
  readonly directory: string
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: ProviderFetch | undefined
  /** In development: its endpoints are on this machine. */
  readonly insecure?: boolean | undefined
}

/** The directory of all personal accounts, whose email addresses Microsoft itself verifies. */
const PERSONAL_ACCOUNTS = '9188040d-6c67-4c5b-b112-36a304b66dad'

/**
 * Microsoft Entra ID. Its ID token has no `email_verified`, and an administrator can set `email` to any address (nOAuth), so
 * an address counts only with one of the optional claims that say it is verified.
 */
export const microsoft = ({
  directory,
  clientId,
  clientSecret,
  fetch,
  insecure,
}: MicrosoftConfig): IdentityProvider =>
  openIdProvider({
    issuer: `https://login.microsoftonline.com/${directory}/v2.0`,
    clientId,
    clientSecret: () => clientSecret,
    // Microsoft's userinfo has none of the optional claims.
    claimsFrom: 'id_token',
    parameters: ({ prompt = 'select_account', loginHint, uiLocales }) => ({
      ...(prompt === 'auto' ? {} : { prompt }),
      ...(loginHint ? { login_hint: loginHint } : {}),
      ...(uiLocales ? { ui_locales: uiLocales } : {}),
    }),
    readProfile: readMicrosoftProfile,
    fetch,
    insecure,
  })

/** Identifies a user by `oid`: `sub` is another one for each client, so users would be lost with a change of the client. */
function readMicrosoftProfile(claims: Claims): ReadProfile {
  return readProfile(String(claims.iss), {
    sub: claims.oid,
    email: claims.email,
    email_verified: isVerified(claims),
    name: claims.name,
  })
}

function isVerified({
  iss,
  email,
  tid,
  xms_edov,
  verified_primary_email,
  verified_secondary_email,
}: Claims): boolean {
  // The verified issuer names the directory; a `tid` of another one says nothing.
  if (iss !== `https://login.microsoftonline.com/${tid}/v2.0`) {
    return false
  }
  const listed = [verified_primary_email, verified_secondary_email].flat()
  return isTrue(xms_edov) || listed.includes(email) || tid === PERSONAL_ACCOUNTS
}

/** Microsoft sends this claim as a boolean, a number or a text, depending on the version of the application's manifest. */
const isTrue = (claim: unknown): boolean =>
  claim === true || claim === 1 || claim === '1' || claim === 'true'
