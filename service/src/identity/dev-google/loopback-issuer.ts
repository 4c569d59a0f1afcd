import { isLoopback } from '../../domain/callbacks/loopback.ts'

export function loopbackIssuer(issuer: string): URL {
  const url = new URL(issuer)
  const web = url.protocol === 'http:' || url.protocol === 'https:'
  if (!web || !isLoopback(url)) {
    throw new Error(`The development Google checks no credentials, so it runs on localhost only, not at ${issuer}.`)
  }
  return url
}
