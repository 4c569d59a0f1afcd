import { parse } from 'tldts'

/**
 * The name that is bought or handed out to one customer: `example.co.uk`, `alice.github.io`. null: an IP address, a name
 * without a dot, or a suffix that many share (`co.uk`, `github.io`), by the Public Suffix List with its private part.
 */
export function registrableDomain(host: string): string | null {
  return parse(host, { allowPrivateDomains: true, extractHostname: false }).domain
}
