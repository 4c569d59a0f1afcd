/** The outside identity provider, as a login sees it: send a browser there, learn who came back. */
export interface IdentityProvider {
  /** Where to send the browser. Throws when the provider cannot be found (discovery failed). */
  authorizeUrl(request: AuthorizeRequest): Promise<URL>
  /** What the browser brought back: a person, a "no", or a failure that names its stage. Never throws for those. */
  signIn(response: AuthorizeResponse): Promise<SignIn>
}

/** The secrets of one trip to the provider. All three come from the attempt's state; see trip.ts. */
export interface AuthRequestSecrets {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export interface AuthorizeRequest extends AuthRequestSecrets {
  readonly redirectUri: string
}

export interface AuthorizeResponse extends AuthRequestSecrets {
  /** The address the provider sent the browser to, with its query, rebuilt on our own base URL. */
  readonly currentUrl: URL
}

/** Who came back. `subject` is the provider's stable id; the e-mail may change under it. */
export interface Profile {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
}

/** The stages a sign-in can fail at before we store anything (spec, Auth event). */
export type SignInStage = 'token_exchange' | 'userinfo'

export type SignIn =
  | { readonly outcome: 'identified'; readonly profile: Profile }
  | { readonly outcome: 'denied' }
  | { readonly outcome: 'failed'; readonly stage: SignInStage; readonly errorCode: string; readonly cause?: unknown }
