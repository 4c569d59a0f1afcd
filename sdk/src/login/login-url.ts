import { requireReturnTo } from './return-to.ts'

export interface LoginUrlOptions {
  /** One of the registered callback URLs. Default: the first one. */
  readonly redirectUri?: string | undefined
  /** The path inside the app to continue at after the login, such as `/notes/7`. */
  readonly returnTo?: string | undefined
}

export function loginUrl(authUrl: string, { redirectUri, returnTo }: LoginUrlOptions = {}): string {
  const query = new URLSearchParams()
  if (redirectUri !== undefined) {
    if (!URL.canParse(redirectUri)) throw new TypeError('redirectUri must be the absolute URL of your callback.')
    query.set('redirect_uri', redirectUri)
  }
  if (returnTo !== undefined) query.set('return_to', requireReturnTo(returnTo))
  const search = query.toString()
  return search === '' ? `${authUrl}/google` : `${authUrl}/google?${search}`
}
