import { requireReturnTo } from './return-to.ts'

export interface LoginUrlOptions {
  /** One of the registered callback URLs. Default: the first one. */
  readonly redirectUri?: string | undefined
  /** The path inside the app to continue at after the login, such as `/notes/7`. */
  readonly returnTo?: string | undefined
  /** The e-mail address of the Google account to use. */
  readonly loginHint?: string | undefined
  /** `select_account`, the default, shows the account chooser each time; `auto` lets Google decide. */
  readonly prompt?: 'select_account' | 'auto' | undefined
}

export function loginUrl(authUrl: string, { redirectUri, returnTo, loginHint, prompt }: LoginUrlOptions = {}): string {
  if (redirectUri !== undefined && !URL.canParse(redirectUri)) {
    throw new TypeError('redirectUri must be an absolute URL.')
  }
  const url = new URL(`${authUrl}/google`)
  const query = {
    redirect_uri: redirectUri,
    return_to: returnTo === undefined ? undefined : requireReturnTo(returnTo),
    login_hint: loginHint,
    prompt,
  }
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
