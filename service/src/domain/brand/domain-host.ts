import { domainToASCII } from 'node:url'
import { asciiLowerCase, HOST_MAX_CHARACTERS } from '@gatehouse/contract'
import { hostProblem } from '../callbacks/host.ts'
import { isLoopback } from '../callbacks/loopback.ts'
import { registrableDomain } from './registrable-domain.ts'

export type ReadDomainHost =
  | { readonly ok: true; readonly host: string }
  | { readonly ok: false; readonly problem: string }

/** Loopback with an optional port, as the host of a URL. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[1-9][0-9]{0,4})?$/

/** The host of a domain that can be verified, in lower case and Punycode. On a local service also an app on this computer. */
export function readDomainHost(text: string, baseUrl: string): ReadDomainHost {
  const own = new URL(baseUrl)
  const lower = asciiLowerCase(text.trim())
  if (lower === own.host) return refused('This is the host of this service.')
  if (LOCAL.test(lower)) {
    return isLoopback(own) && URL.canParse(`http://${lower}`)
      ? { ok: true, host: new URL(`http://${lower}`).host }
      : refused('Only a local service verifies apps on this computer. Use a host name on the public internet.')
  }
  if (/[/:@?#\s]/.test(lower)) return refused('Send a host name alone, without scheme, port, path and spaces.')
  const host = domainToASCII(lower)
  if (host === '') return refused('This is not a host name.')
  if (host.length > HOST_MAX_CHARACTERS) return refused(`A host has at most ${HOST_MAX_CHARACTERS} characters.`)
  if (host.includes('*')) return refused('Leave the wildcard out: a DNS record covers all hosts of a domain.')
  const problem = hostProblem(host)
  if (problem !== null) return refused(problem)
  // Prevents a brand on a name that strangers share, such as `github.io`.
  if (registrableDomain(host) === null) {
    return refused(
      'Names under this suffix belong to different people. Send a domain of your own, such as "example.com".',
    )
  }
  return { ok: true, host }
}

const refused = (problem: string): ReadDomainHost => ({ ok: false, problem })
