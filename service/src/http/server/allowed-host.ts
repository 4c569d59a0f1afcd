import { isIP } from 'node:net'
import { isLoopback } from '../../domain/callbacks/host.ts'

export interface HostRule {
  readonly baseUrl: string
  /** A development service that also listens for other machines and containers, which ALLOW_DEVELOPMENT_SIGN_IN allows. */
  readonly exposed: boolean
}

/**
 * Prevents DNS rebinding: a page of another site whose name resolves to this machine is same-origin with a service here, so it
 * could read the pages and post the forms. It can't change Host, so a service whose base URL is this machine answers only to
 * hosts that no other site can have. A public service answers to any: its proxy may send another Host.
 */
export function allowsHost(host: string | undefined, { baseUrl, exposed }: HostRule): boolean {
  // Only HTTP/1.0 has no Host, such as a health check of haproxy. Browsers send one.
  if (host === undefined || !isLoopback(new URL(baseUrl))) {
    return true
  }

  const url = /^[^/\\?#@]+$/.test(host) ? URL.parse(`http://${host}`) : null
  if (url === null) {
    return false
  }

  const { hostname } = url
  // RFC 6761, section 6.3: a resolver doesn't look up names below .localhost.
  if (isLoopback(url) || hostname.endsWith('.localhost')) {
    return true
  }

  // An address is not resolved, and a name without a dot is one of the own network, such as that of a container.
  const isOfNetwork = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.')
  return exposed && isOfNetwork
}

/** The body of the 403. */
export const hostRefused = ({ baseUrl }: HostRule): string =>
  `This development service doesn't answer to this Host, so that pages of other sites can't use it. Open ${baseUrl} instead.\n`
