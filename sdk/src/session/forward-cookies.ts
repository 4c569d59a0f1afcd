import { parseCookies } from './cookies.ts'

/**
 * Applies `Set-Cookie` lines to the `Cookie` header of a request. For a middleware that refreshed a session: handlers
 * that run after it must read the new pair, because the old refresh token is spent.
 *
 * @example
 * ```ts
 * import { forwardCookies } from '@gatehouse/sdk'
 *
 * const headers = forwardCookies(new Headers({ Cookie: 'gh_access=old; theme=dark' }), ['gh_access=new; Path=/'])
 * console.log(headers.get('cookie')) // gh_access=new; theme=dark
 * ```
 */
export function forwardCookies(headers: Headers, setCookies: readonly string[]): Headers {
  const forwarded = new Headers(headers)
  if (setCookies.length === 0) return forwarded
  const cookies = new Map(parseCookies(headers.get('cookie')))
  for (const line of setCookies) {
    const [pair = '', ...attributes] = line.split('; ')
    const equals = pair.indexOf('=')
    if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, equals))
    else cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
  }
  const text = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  if (text === '') forwarded.delete('cookie')
  else forwarded.set('cookie', text)
  return forwarded
}
