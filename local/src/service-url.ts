import { DEFAULT_SERVICE, servedFrom } from './invocation.ts'
import { nextStep, Problem } from './problem.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * The service for new tenants: the option, else GATEHOUSE_URL, else the one that this program came from, else the
 * default port on this machine.
 */
export function serviceUrl(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const named = readServiceUrl(option ?? env.GATEHOUSE_URL?.trim() ?? '')
  return named ?? readServiceUrl(servedFrom() ?? '') ?? DEFAULT_SERVICE
}

/**
 * An origin without a trailing slash; null for an empty string. Keys are sent to it, so it must be https, except on this
 * machine.
 */
export function readServiceUrl(written: string): string | null {
  if (written === '') {
    return null
  }
  const url = URL.canParse(written) ? new URL(written) : null
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin) {
    throw invalid('The service URL must be an http or https origin without a path.')
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw invalid('The service URL must be https: over http, keys would be sent unencrypted.')
  }
  return url.origin
}

const invalid = (message: string): Problem =>
  new Problem(
    'serviceUrlInvalid',
    message,
    nextStep(
      'Use a URL such as https://login.example.com in --service, GATEHOUSE_URL, or base_url in the .service file.',
    ),
  )
