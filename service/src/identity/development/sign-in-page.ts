import type { PreselectedUser } from '../../domain/login/attempt.ts'

/** A button under "Break something". */
export interface Fault {
  readonly value: Exclude<NonNullable<PreselectedUser['outcome']>, 'deny'>
  readonly label: string
  readonly effect: string
}

/** What the page of a stand-in offers. */
export interface SignInPageSettings {
  /** The name of the provider: "Development Google". */
  readonly title: string
  readonly faults: readonly Fault[]
  /** The input for the organization of "Someone else". null: the provider has none. */
  readonly organization: { readonly field: 'hd' | 'tid'; readonly label: string } | null
  /** The provider's form of a sample user's subject, or of one that is derived from an email address. */
  subject(sub: string): string
}

export interface SignInPage extends SignInPageSettings {
  /** Where the stand-in is mounted, without a trailing slash. */
  readonly url: string
  /** The path prefix of the stand-in, with a trailing slash. */
  readonly mountPath: string
}

export const signInPage = (settings: SignInPageSettings, url: string): SignInPage => ({
  title: settings.title,
  faults: settings.faults,
  organization: settings.organization,
  subject: settings.subject,
  url,
  mountPath: `${new URL(url).pathname.replace(/\/$/, '')}/`,
})

export const TOKEN_EXCHANGE_FAILS: Fault = {
  value: 'token_exchange',
  label: 'Token exchange fails',
  effect: 'The token endpoint rejects the code.',
}
export const USERINFO_FAILS: Fault = {
  value: 'userinfo',
  label: 'Userinfo fails',
  effect: 'The userinfo endpoint responds with 500.',
}
export const EMAIL_NOT_VERIFIED: Fault = {
  value: 'email_unverified',
  label: 'Email not verified',
  effect: 'Ada signs in with email_verified: false.',
}
export const USER_NOT_STORED: Fault = {
  value: 'user_upsert',
  label: 'User can’t be stored',
  effect: 'A user signs in with a subject of 300 characters.',
}
