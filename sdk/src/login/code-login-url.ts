import type { LoginUrlOptions } from './login-url.ts'

/** Of a server: pages without one have no codes. */
export interface CodeLoginUrlOptions extends LoginUrlOptions {
  /** The S256 challenge of your verifier: the callback gets a one-time code for `client.exchange`. */
  readonly codeChallenge?: string | undefined
}

export function withChallenge(loginUrl: string, challenge: string | undefined): string {
  if (challenge === undefined) return loginUrl
  const url = new URL(loginUrl)
  url.searchParams.set('response_type', 'code')
  url.searchParams.set('code_challenge', challenge)
  url.searchParams.set('code_challenge_method', 'S256')
  return url.href
}
