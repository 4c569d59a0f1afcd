import { either, Problem } from './problem.ts'

/** Where the service listens when nobody said otherwise. */
const DEFAULT_URL = 'http://localhost:8787'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** The service that new tenants are made at: the option, else GATEHOUSE_URL, else the one on this machine. */
export function serviceUrl(option: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  return readServiceUrl(option ?? env.GATEHOUSE_URL?.trim() ?? '') ?? DEFAULT_URL
}

/**
 * An origin without a slash at the end; null when nothing is written. Keys are sent there, so it must be https, unless
 * it never leaves this machine.
 */
export function readServiceUrl(written: string): string | null {
  if (written === '') return null
  const url = URL.canParse(written) ? new URL(written) : null
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin) throw invalid('The address of the service must be an http(s) origin without a path.')
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw invalid('The address of the service must be https: keys would travel where others can read them.')
  }
  return url.origin
}

const invalid = (message: string): Problem =>
  new Problem(
    'serviceUrlInvalid',
    message,
    either('Write it like https://login.example.com, in --service, GATEHOUSE_URL, or base_url in the .service file.'),
  )
