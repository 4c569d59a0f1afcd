/** Somebody who signed in to your app. `id` is theirs for good; an e-mail address may change. */
export interface User {
  readonly id: number
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
}

/** Is this access token good right now, and whose is it? */
export type Verification = { readonly valid: true; readonly user: User } | { readonly valid: false }

/** The access token is good for an hour; the refresh token for 30 days, and for one use. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

/** As much of a web-standard `Request` as is read here, so that any framework's own kind will do. */
export interface RequestLike {
  readonly url: string
  readonly method: string
  readonly headers: HeadersLike
}

export interface HeadersLike {
  get(name: string): string | null
}

/** The part of `fetch` that is used: any function from an address to a `Response`. */
export type Fetch = (url: string, init: RequestInit) => Response | Promise<Response>
