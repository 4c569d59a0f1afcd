import type { CustomFetch } from 'openid-client'
import { hasDuplicateName } from '../domain/duplicate-names.ts'
import { ReadResponse } from './read-response.ts'
import { ProviderFault } from './sign-in-error.ts'

/** Google's largest response, its discovery document, is under 2 KB. */
export const RESPONSE_MAX_BYTES = 64 * 1024

/** A fetch, or one that reads the body itself, within the size limit. */
export type ProviderFetch = (
  ...request: Parameters<typeof globalThis.fetch>
) => Promise<Response | ReadResponse>

/**
 * A fetch with a deadline and a size limit that follows no redirects. The response it returns has been read completely, so
 * code after it never waits for the network.
 */
export function boundedFetch(fetch: ProviderFetch, deadline: AbortSignal): CustomFetch {
  return async function boundedFetch(url, { body, ...init }) {
    const request = { ...init, redirect: 'manual' as const, signal: deadline }
    try {
      const response = await fetch(url, body ? { ...request, body } : request)
      return await readAnswer(response)
    } catch (error) {
      if (error instanceof ProviderFault) {
        throw error
      }
      throw new ProviderFault(deadline.aborted ? 'timeout' : 'unreachable', { cause: error })
    }
  }
}

async function readAnswer(response: Response | ReadResponse): Promise<Response> {
  if (isRedirect(response)) {
    await response.body?.cancel()
    throw new ProviderFault('redirected')
  }

  const read = response instanceof ReadResponse ? response : await readCompletely(response)
  // Prevents parameter confusion between JSON parsers, e.g. two `sub` values (RFC 8259, section 4).
  if (hasDuplicateNames(read.content)) {
    throw new ProviderFault('malformed_answer')
  }
  return read as unknown as Response
}

// Prevents leaking the code and the client secret: following a redirect of the token request would post them elsewhere.
// An opaque redirect has status 0.
const isRedirect = ({ status }: Pick<Response, 'status'>): boolean =>
  status === 0 || (status >= 300 && status < 400)

/** False if the body is not JSON: the OpenID client rejects that itself. */
function hasDuplicateNames(bytes: Buffer): boolean {
  const text = bytes.toString()
  try {
    JSON.parse(text)
  } catch {
    return false
  }
  return hasDuplicateName(text)
}

/** Prevents decompression bombs: counts decompressed bytes as they arrive, and stops at the limit. */
async function readCompletely(response: Response): Promise<ReadResponse> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop early cancels the stream, which closes the connection.
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > RESPONSE_MAX_BYTES) {
      throw new ProviderFault('answer_too_large')
    }
    chunks.push(chunk)
  }
  return new ReadResponse(Buffer.concat(chunks), {
    status: response.status,
    headers: response.headers,
  })
}
