import { isLoopback } from '../callbacks/loopback.ts'
import { readIpAddress } from './ip-address.ts'

/** Privileged ports other than 443 belong to mail, databases and remote shells, which a request of ours must not reach. */
const PRIVILEGED_PORT_MAX = 1_023

export type ReadPublicUrl = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly problem: string }

/**
 * Checks a URL to which this service is to send requests. Which addresses its name resolves to is checked at every request,
 * on the connection itself (identity/public-https.ts): a check here would be outdated by the next DNS answer. Only a service
 * that itself is on this machine may use others there.
 */
export function readPublicUrl(text: string, baseUrl: string): ReadPublicUrl {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) return refused('This is not an absolute URL.')
  if (url.username !== '' || url.password !== '') return refused('Leave user name and password out of the URL.')
  if (url.hash !== '' || text.includes('#')) return refused('A fragment is never sent. Leave it out.')
  if (isLoopback(url)) return isLoopback(new URL(baseUrl)) && url.protocol === 'http:' ? { ok: true, url } : notPublic()
  if (url.protocol !== 'https:') return refused('Only https is accepted.')
  if (readIpAddress(url.hostname.replace(/^\[|\]$/g, '')) !== null || !url.hostname.includes('.')) return notPublic()
  if (url.port !== '' && Number(url.port) <= PRIVILEGED_PORT_MAX) {
    return refused(`Use port 443, or one above ${PRIVILEGED_PORT_MAX}.`)
  }
  return { ok: true, url }
}

const refused = (problem: string): ReadPublicUrl => ({ ok: false, problem })

const notPublic = (): ReadPublicUrl =>
  refused('Use a host name on the public internet. On a local service, http://localhost works, too.')
