import { createPrivateKey } from 'node:crypto'
import { isLoopback } from '../callbacks/loopback.ts'
import { isWildcard } from '../callbacks/parts.ts'
import { callbackFromStored } from '../callbacks/url.ts'
import { readPublicUrl } from '../network/public-url.ts'

/** A problem is a sentence for the owner; null: none. */
type Problem = string | null

/** An issuer has neither query nor fragment (OpenID Connect Discovery, section 2). */
export function issuerProblem(issuer: string, baseUrl: string): Problem {
  const read = readPublicUrl(issuer, baseUrl)
  if (!read.ok) return read.problem
  return read.url.search === '' && !issuer.includes('?') ? null : 'An issuer has no query.'
}

/**
 * A relay is a URL of the app that redirects to our callback, so that the provider shows the app's domain. Only on a host
 * that the owner registered by its whole name: the response of the provider passes there.
 */
export function relayProblem(redirectUri: string, callbackUrls: readonly string[]): Problem {
  const url = URL.parse(redirectUri)
  if (url === null) return 'This is not an absolute URL.'
  if (url.username !== '' || url.password !== '') return 'Leave user name and password out of the URL.'
  if (/[?#]/.test(redirectUri)) return 'Leave query and fragment out: the provider adds its own query.'
  if (url.href !== redirectUri) return `Write it as ${url.href}.`
  const hosts = callbackUrls.map(callbackFromStored).filter(({ host }) => !isWildcard(host))
  const isRegistered = hosts.some(({ href }) => isSameHost(new URL(href), url))
  return isRegistered ? null : 'Use the scheme and host of a callback URL of this app, one without a wildcard.'
}

/** The port of a loopback host is free, as in callback URLs. */
const isSameHost = (registered: URL, url: URL): boolean =>
  isLoopback(url)
    ? registered.hostname === url.hostname && registered.protocol === url.protocol
    : registered.origin === url.origin

/** Apple's keys are for ES256: EC keys on the curve P-256. */
export function applePrivateKeyProblem(privateKey: string): Problem {
  try {
    const key = createPrivateKey(privateKey)
    if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return null
  } catch {
    // Not a key.
  }
  return 'Send the content of the .p8 file that Apple created, with its first and last line.'
}
