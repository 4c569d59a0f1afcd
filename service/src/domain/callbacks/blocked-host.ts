import { domainToASCII } from 'node:url'
import { asciiLowerCase } from '@gatehouse/contract'
import { parse } from 'tldts'
import { hostProblem } from './host.ts'
import { isLoopbackHost } from './loopback.ts'
import { isWildcard } from './parts.ts'

export type BlockedHostRead =
  | { readonly ok: true; readonly host: string }
  | { readonly ok: false; readonly problem: string }

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** A host that the operator may block, in lower case and Punycode. */
export function readBlockedHost(text: string): BlockedHostRead {
  const lower = asciiLowerCase(text.trim())
  if (/[/:@?#*\s]/.test(lower)) return refused('Name a host alone, such as evil.example: no scheme, port, path or "*".')
  const host = domainToASCII(lower)
  const problem = host === '' ? 'This is not a host name.' : hostProblem(host)
  if (problem !== null) return refused(problem)
  if (isLoopbackHost(host)) return refused('This is the computer of each user: no app of others is there.')
  // Prevents a block of everything below `co.uk` or `github.io`.
  const isShared = parse(host, { allowPrivateDomains: true, extractHostname: false }).domain === null
  if (isShared && !IPV4.test(host)) {
    return refused('Names under this suffix belong to different people. Block the host of the app.')
  }
  return { ok: true, host }
}

/** The hosts whose block applies to this one: itself and the names above it. Of a wildcard, those above it. */
export function blockingHosts(host: string): string[] {
  const named = isWildcard(host) ? host.slice('*.'.length) : host
  if (IPV4.test(named) || named.startsWith('[')) return [named]
  const labels = named.split('.')
  return labels.map((_, at) => labels.slice(at).join('.'))
}

const refused = (problem: string): BlockedHostRead => ({ ok: false, problem })
