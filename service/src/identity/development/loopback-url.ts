import { isLoopback } from '../../domain/callbacks/host.ts'

export function loopbackUrl(title: string, address: string): URL {
  const url = new URL(address)
  const web = url.protocol === 'http:' || url.protocol === 'https:'
  if (!web || !isLoopback(url)) {
    throw new Error(`The development ${title} checks no credentials, so it runs on localhost only, not at ${address}.`)
  }
  return url
}
