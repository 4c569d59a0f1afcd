/** One HTTP/1.1 answer, whole. */
export interface ApiResponse {
  readonly status: number
  /** Names in lower case, as one text. */
  readonly head: string
  readonly body: Buffer
}

const EMPTY = Buffer.alloc(0)
const HEAD_END = '\r\n\r\n'

/**
 * Puts answers together from what arrives on one connection. It knows as much HTTP as servers on the same machine need
 * (a length, or chunks), because a complete client would spend more on a request than the server it measures.
 */
export class ResponseReader {
  #held: Buffer = EMPTY

  /** The answer, if this completes it. There is never more than one on its way. */
  read(chunk: Buffer): ApiResponse | null {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const response = answerIn(bytes)
    this.#held = response === null ? bytes : EMPTY
    return response
  }
}

function answerIn(bytes: Buffer): ApiResponse | null {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase()
  const status = Number(head.slice(9, 12))
  const body = bodyIn(head, status, bytes, headEnd + HEAD_END.length)
  return body === null ? null : { status, head, body }
}

function bodyIn(head: string, status: number, bytes: Buffer, start: number): Buffer | null {
  const length = headerOf(head, 'content-length')
  if (length !== null) {
    const end = start + Number(length)
    if (bytes.length > end) throw new Error('more came than was announced')
    return bytes.length < end ? null : bytes.subarray(start, end)
  }
  if (headerOf(head, 'transfer-encoding') === 'chunked') return unchunked(bytes, start)
  if (status === 204 || status === 304) return EMPTY
  throw new Error('an answer without a length')
}

/** null while the last chunk has not come. */
function unchunked(bytes: Buffer, start: number): Buffer | null {
  const parts: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (bytes.length < end + 2) return null
    if (size === 0) return parts.length === 1 ? (parts[0] ?? EMPTY) : Buffer.concat(parts)
    parts.push(bytes.subarray(lineEnd + 2, end))
    at = end + 2
  }
}

export function headerOf(head: string, name: string): string | null {
  const at = head.indexOf(`\r\n${name}: `)
  if (at < 0) return null
  const start = at + name.length + 4
  const end = head.indexOf('\r\n', start)
  return head.slice(start, end < 0 ? undefined : end)
}
