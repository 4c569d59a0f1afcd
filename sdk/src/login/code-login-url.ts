import type { LoginUrlOptions } from './login-url.ts'

/** Of a server: pages without one have no codes, and the languages of their browser. */
export interface CodeLoginUrlOptions extends LoginUrlOptions {
  /** The S256 challenge of your verifier: the callback gets a one-time code for `client.exchange`. */
  readonly codeChallenge?: string | undefined
  /** The languages of the user, best first, such as `de-CH fr`. Default: those of the browser. */
  readonly uiLocales?: string | undefined
}

export function withServerOptions(loginUrl: string, { codeChallenge, uiLocales }: CodeLoginUrlOptions): string {
  const url = new URL(loginUrl)
  if (uiLocales !== undefined) url.searchParams.set('ui_locales', uiLocales)
  if (codeChallenge !== undefined) {
    url.searchParams.set('response_type', 'code')
    url.searchParams.set('code_challenge', codeChallenge)
    url.searchParams.set('code_challenge_method', 'S256')
  }
  return url.href
}
