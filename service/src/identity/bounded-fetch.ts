import type { CustomFetch } from 'openid-client'
import { hasDuplicateName } from '../domain/duplicate-names.ts'
import { ProviderFault } from './sign-in-error.ts'

/** Google's largest answer, its discovery document, is under 2 KB. */
export const RESPONSE_MAX_BYTES = 64 * 1024

/**
 * A fetch that cannot be kept waiting, filled up or sent elsewhere: it ends with its deadline, reads little, and follows
 * no redirect. What it returns has been read to the end, so nothing after it waits for the network.
 */
export function boundedFetch(fetch: typeof globalThis.fetch, deadline: AbortSignal): CustomFetch {
  return async function boundedFetch(url, { body, ...init }) {
    try {
      const request = { ...init, redirect: 'manual' as const, signal: deadline }
      const response = await fetch(url, body ? { ...request, body } : request)
      if (isRedirect(response)) {
        await response.body?.cancel()
        throw new ProviderFault('redirected')
      }
      const bytes = await readBody(response)
      if (saysSomethingTwice(bytes)) throw new ProviderFault('malformed_answer')
      return new Response(bytes.length === 0 ? null : bytes, { status: response.status, headers: response.headers })
    } catch (error) {
      if (error instanceof ProviderFault) throw error
      throw new ProviderFault(deadline.aborted ? 'timeout' : 'unreachable', { cause: error })
    }
  }
}

// An answer to the token request that points elsewhere would have us post the code and our secret to that address.
const isRedirect = (response: Response): boolean =>
  response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)

/** Two subjects in one answer: which of them signed in? What is no JSON at all is for the OpenID client to refuse. */
function saysSomethingTwice(bytes: Buffer): boolean {
  const text = bytes.toString()
  try {
    JSON.parse(text)
  } catch {
    return false
  }
  return hasDuplicateName(text)
}

/** Counts bytes after decompression, as they arrive: a small gzip file that unpacks to gigabytes stops at the limit too. */
async function readBody(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop early cancels the stream, which closes the connection.
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > RESPONSE_MAX_BYTES) throw new ProviderFault('answer_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
