import type { ProviderName } from './provider.ts'
import { requireReturnTo } from './redirect.ts'

export interface LoginUrlOptions {
  /** Default `google`. The others must be switched on in your project; `client.providers()` lists them. */
  readonly provider?: ProviderName | undefined
  /** One of the registered callback URLs. Default: the first one. */
  readonly redirectUri?: string | undefined
  /** The path inside the app to continue at after the login, such as `/notes/7`. */
  readonly returnTo?: string | undefined
  /** The e-mail address of the account to use. */
  readonly loginHint?: string | undefined
  /** `select_account`, the default, shows the account chooser each time; `auto` lets the provider decide. */
  readonly prompt?: 'select_account' | 'auto' | undefined
}

export function loginUrl(authUrl: string, options: LoginUrlOptions = {}): string {
  const { provider = 'google', redirectUri, returnTo, loginHint, prompt } = options
  if (redirectUri !== undefined && !URL.canParse(redirectUri)) {
    throw new TypeError('redirectUri must be an absolute URL.')
  }
  const url = new URL(`${authUrl}/${encodeURIComponent(provider)}`)
  const query = {
    redirect_uri: redirectUri,
    return_to: returnTo === undefined ? undefined : requireReturnTo(returnTo),
    login_hint: loginHint,
    prompt,
  }
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      url.searchParams.set(name, value)
    }
  }
  return url.href
}

/** Options for apps with a server. Pages without one get no codes, and use the languages of their browser. */
export interface CodeLoginUrlOptions extends LoginUrlOptions {
  /** The S256 challenge of your verifier: the callback gets a one-time code for `client.exchange`. */
  readonly codeChallenge?: string | undefined
  /** The languages of the user, best first, such as `de-CH fr`. Default: those of the browser. */
  readonly uiLocales?: string | undefined
  /** From the link of an invitation: its `invitation`. */
  readonly invitation?: string | undefined
}

export function withServerOptions(loginUrl: string, options: CodeLoginUrlOptions): string {
  const { codeChallenge, uiLocales, invitation } = options
  const url = new URL(loginUrl)
  if (invitation !== undefined) {
    url.searchParams.set('invitation', invitation)
  }
  if (uiLocales !== undefined) {
    url.searchParams.set('ui_locales', uiLocales)
  }
  if (codeChallenge !== undefined) {
    url.searchParams.set('response_type', 'code')
    url.searchParams.set('code_challenge', codeChallenge)
    url.searchParams.set('code_challenge_method', 'S256')
  }
  return url.href
}
