import type { IncomingMessage } from 'node:http'
import type { Found, ProbeDomain } from '../domain/brand/domain.ts'
import { readBody } from './keep-alive-fetch.ts'
import { askPublicHttps, dnsResolver, type Reach } from './public-https.ts'

const TIMEOUT_MS = 5_000
/** Far more than the file needs: it may have lines for several tenants. */
const FILE_MAX_BYTES = 8 * 1_024

/**
 * Looks for the value of a domain in the DNS and in a file. The key of a tenant chose the host, so the file is requested
 * through the guard against SSRF.
 */
export function domainProbe(reach: Reach): ProbeDomain {
  return async ({ value, recordName, fileUrl }) => {
    const [dns, file] = await Promise.all([
      proofIn(recordsOf(recordName, reach), value),
      proofIn(linesOf(new URL(fileUrl), reach), value),
    ])
    return { dns, file }
  }
}

/** Prevents probing of private networks: an address that may not be asked, a closed port and a 404 are one result. */
async function proofIn(read: Promise<readonly string[]>, value: string): Promise<Found['dns']> {
  const texts = await read.catch((): string[] => [])
  if (texts.includes(value)) {
    return 'found'
  }
  return texts.some((text) => text !== '') ? 'other' : 'absent'
}

/** A record is in parts of at most 255 bytes (RFC 1035, section 3.3.14). */
async function recordsOf(name: string | null, { network = {} }: Reach): Promise<string[]> {
  if (name === null) {
    return []
  }
  const resolved = network.resolveTxt?.(name) ?? dnsResolver(network).resolveTxt(name)
  const records = await resolved
  return records.map((parts) => parts.join('').trim())
}

async function linesOf(url: URL, reach: Reach): Promise<string[]> {
  const asked = {
    method: 'GET',
    headers: { Accept: 'text/plain' },
    deadline: AbortSignal.timeout(TIMEOUT_MS),
    read: (response: IncomingMessage) => readBody(response, FILE_MAX_BYTES),
  } as const
  const { status, body } = await askPublicHttps(url, asked, reach)
  if (status !== 200) {
    return []
  }
  const lines = String(body).split('\n')
  return lines.map((line) => line.trim())
}
