/** A user of your app. `id` never changes; the email address may. */
export interface User {
  readonly id: number
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
}

/** Whether an access token is valid now, and its user. */
export type Verification = { readonly valid: true; readonly user: User } | { readonly valid: false }

/** The access token is valid for one hour. The refresh token is valid for 30 days and for one use. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

export interface IssuedIdToken {
  readonly idToken: string
  /** In seconds, from now on. */
  readonly expiresIn: number
}

/** The subset of a web-standard `Request` that is read, so that the request types of frameworks fit. */
export interface RequestLike {
  readonly url: string
  readonly method: string
  readonly headers: HeadersLike
}

export interface HeadersLike {
  get(name: string): string | null
}

/** The subset of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Response | Promise<Response>
