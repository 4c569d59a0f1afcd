import { isLoopback } from '../callbacks/loopback.ts'
import { readIpAddress } from '../network/ip-address.ts'

/** Privileged ports other than 443 belong to mail, databases and remote shells, which a signed body must not reach. */
const PRIVILEGED_PORT_MAX = 1_023

export type ReadWebhookUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string }

/**
 * Checks the URL of a webhook. Which addresses its name resolves to is checked at every delivery, on the connection itself
 * (identity/public-https.ts): a check here would be outdated by the next DNS answer.
 */
export function readWebhookUrl(text: string, baseUrl: string): ReadWebhookUrl {
  const url = URL.canParse(text) ? new URL(text) : null
  const own = new URL(baseUrl)
  if (url === null) return refused('This is not an absolute URL.')
  if (url.username !== '' || url.password !== '') return refused('Leave user name and password out of the URL.')
  if (url.hash !== '' || text.includes('#')) return refused('A fragment is never sent. Leave it out.')
  if (url.host === own.host) return refused('This is a URL of this service.')
  if (isLoopback(url)) return isLoopback(own) && url.protocol === 'http:' ? { ok: true, url: url.href } : notPublic()
  if (url.protocol !== 'https:') return refused('Only https is accepted.')
  if (readIpAddress(url.hostname.replace(/^\[|\]$/g, '')) !== null || !url.hostname.includes('.')) return notPublic()
  if (url.port !== '' && Number(url.port) <= PRIVILEGED_PORT_MAX) {
    return refused(`Use port 443, or one above ${PRIVILEGED_PORT_MAX}.`)
  }
  return { ok: true, url: url.href }
}

const refused = (problem: string): ReadWebhookUrl => ({ ok: false, problem })

const notPublic = (): ReadWebhookUrl =>
  refused('Use a host name on the public internet. On a local service, http://localhost works, too.')
