import type { LoginFailureCode } from '@gatehouse/contract'

// The values of `errorCode`, for implementations, which import the domain only.
export { LOGIN_FAILURES, type LoginFailureCode, PROVIDER_ERRORS } from '@gatehouse/contract'

/** The OpenID provider. */
export interface IdentityProvider {
  /** The authorization URL. Throws when discovery fails. */
  authorizeUrl(request: AuthorizeRequest): Promise<URL>
  /** The issuer of its users, by discovery. Throws Unavailable if that fails. */
  issuer(): Promise<string>
  /** Exchanges the authorization response for a profile. A denial or failure is a result, not an exception. */
  signIn(response: AuthorizeResponse): Promise<SignIn>
}

/** The secrets of one authorization request, derived in request-secrets.ts. */
export interface AuthRequestSecrets {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** What the login link asks of the provider's pages. */
export interface AccountHints {
  /** The e-mail address of the account to use. Passed on, never stored or logged. */
  readonly loginHint?: string | undefined
  /** `select_account`, the default: users with several accounts choose one each time. `auto`: the provider decides. */
  readonly prompt?: 'select_account' | 'auto' | undefined
  /** The `hd` parameter: a Workspace domain, or `*` for any. */
  readonly hostedDomain?: string | null | undefined
}

export interface AuthorizeRequest extends AuthRequestSecrets {
  readonly redirectUri: string
  readonly hints?: AccountHints | undefined
}

export interface AuthorizeResponse extends AuthRequestSecrets {
  /** The URL of the provider's redirect with its query, on our base URL. */
  readonly currentUrl: URL
}

/** `subject` is the provider's stable id; the e-mail may change. */
export interface Profile {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
}

/** A made-up user for the test of an app. */
export interface TestUser {
  readonly email: string
  readonly name?: string | undefined
  readonly picture?: string | undefined
  readonly subject?: string | undefined
}

/** The stages at which a sign-in can fail before the user is stored (spec, Auth event). */
export type SignInStage = 'token_exchange' | 'userinfo'

export type SignIn =
  | { readonly outcome: 'identified'; readonly profile: Profile; readonly hostedDomain: string | null }
  | { readonly outcome: 'denied' }
  | {
      readonly outcome: 'failed'
      readonly stage: SignInStage
      readonly errorCode: LoginFailureCode
      readonly cause?: unknown
    }
