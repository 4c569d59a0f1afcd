import type { ProviderName } from './provider.ts'
import { requireReturnTo } from './return-to.ts'

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
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
