import type { LoginFailureCode } from '@gatehouse-auth/contract'

// The values of `errorCode`, for implementations, which import the domain only.
export { LOGIN_FAILURES, type LoginFailureCode, PROVIDER_ERRORS } from '@gatehouse-auth/contract'

/** A client of an identity provider. */
export interface IdentityProvider {
  /** The authorization URL. Throws when discovery fails. */
  authorizeUrl(request: AuthorizeRequest): Promise<URL>
  /** The issuer of its users, by discovery. Throws Unavailable if that fails. */
  issuer(): Promise<string>
  /** Whether this is that issuer, compared as discovery compares it: needs no network. */
  isIssuer(issuer: string): boolean
  /** Exchanges the authorization response for a profile. A denial or failure is a result, not an exception. */
  signIn(response: AuthorizeResponse): Promise<SignIn>
  /** Whether the provider accepts the client id and secret: a token request with a made-up code. */
  checkClient(redirectUri: string): Promise<ClientCheck>
}

/** A wrong redirect URI is not noticed: providers check it in the browser. */
export type ClientCheck =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly errorCode: LoginFailureCode }

/** The secrets of one authorization request, derived in request-secrets.ts. */
export interface AuthRequestSecrets {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** What the login link asks of the provider's pages. */
export interface AccountHints {
  /** The email address of the account to use. Passed on, never stored or logged. */
  readonly loginHint?: string | undefined
  /** `select_account`, the default: users with several accounts choose one each time. `auto`: the provider decides. */
  readonly prompt?: 'select_account' | 'auto' | undefined
  /** The `hd` parameter: a Workspace domain, or `*` for any. */
  readonly hostedDomain?: string | null | undefined
  /** The languages that the user reads, best first (OpenID Connect Core, section 3.1.2.1). */
  readonly uiLocales?: string | undefined
}

export interface AuthorizeRequest extends AuthRequestSecrets {
  readonly redirectUri: string
  readonly hints?: AccountHints | undefined
}

export interface AuthorizeResponse extends AuthRequestSecrets {
  /** The redirect URI of the request, with the query of the provider's response. */
  readonly currentUrl: URL
  /** The name that came beside the response, unsigned (Apple). */
  readonly displayName?: string | null | undefined
}

/** `subject` is the provider's stable id; the email may change. */
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
  | {
      readonly outcome: 'identified'
      readonly profile: Profile
      readonly hostedDomain: string | null
    }
  | { readonly outcome: 'denied' }
  | {
      readonly outcome: 'failed'
      readonly stage: SignInStage
      readonly errorCode: LoginFailureCode
      /** What the provider says about it. Only an owner who tests a client sees it. */
      readonly providerText?: string | null
      readonly cause?: unknown
    }
