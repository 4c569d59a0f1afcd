import { quantile } from '../statistics.ts'

/** A complete HTTP/1.1 response. */
export interface RawResponse {
  readonly status: number
  /** Status line and headers, in lower case. */
  readonly head: string
  readonly body: Buffer
}

const EMPTY = Buffer.alloc(0)
const HEAD_END = '\r\n\r\n'

/**
 * Assembles responses from the bytes of one connection. Supports only Content-Length and chunked bodies: a complete HTTP
 * client would use more CPU per request than the server under test.
 */
export class ResponseReader {
  #buffered: Buffer = EMPTY

  /** Returns the response if this chunk completes it. Requests are not pipelined, so there is at most one. */
  read(chunk: Buffer): RawResponse | null {
    const bytes = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk])
    const response = parseResponse(bytes)
    this.#buffered = response === null ? bytes : EMPTY
    return response
  }
}

function parseResponse(bytes: Buffer): RawResponse | null {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) {
    return null
  }
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase()
  const status = Number(head.slice(9, 12))
  const body = parseBody(head, status, bytes, headEnd + HEAD_END.length)
  return body === null ? null : { status, head, body }
}

function parseBody(head: string, status: number, bytes: Buffer, start: number): Buffer | null {
  const length = headerOf(head, 'content-length')
  if (length !== null) {
    const end = start + Number(length)
    if (bytes.length > end) {
      throw new Error('the body is longer than its Content-Length')
    }
    return bytes.length < end ? null : bytes.subarray(start, end)
  }
  if (headerOf(head, 'transfer-encoding') === 'chunked') {
    return decodeChunks(bytes, start)
  }
  if (status === 204 || status === 304) {
    return EMPTY
  }
  throw new Error(`a response without a length: ${head.slice(0, 200)}`)
}

/** Null until the last chunk has arrived. */
function decodeChunks(bytes: Buffer, start: number): Buffer | null {
  const parts: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) {
      return null
    }
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (bytes.length < end + 2) {
      return null
    }
    if (size === 0) {
      return parts.length === 1 ? (parts[0] ?? EMPTY) : Buffer.concat(parts)
    }
    parts.push(bytes.subarray(lineEnd + 2, end))
    at = end + 2
  }
}

export function headerOf(head: string, name: string): string | null {
  const at = head.indexOf(`\r\n${name}: `)
  if (at < 0) {
    return null
  }
  const start = at + name.length + 4
  const end = head.indexOf('\r\n', start)
  return head.slice(start, end < 0 ? undefined : end)
}

export interface RoundResult {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time of the load generator. At its limit the benchmark measures the load generator. */
  readonly loadCpuMs: number
  /** The first wrong response or failure. */
  readonly problem: string | null
}

/** Records the latencies and the first problem of one round, from its construction on. */
export class RoundRecorder {
  readonly #latencies: number[] = []
  readonly #cpu = process.cpuUsage()
  readonly #started = performance.now()
  readonly #end: number
  #problem: string | null = null

  constructor(seconds: number) {
    this.#end = this.#started + seconds * 1_000
  }

  readonly isRunning = (): boolean => this.#problem === null && performance.now() < this.#end

  readonly recordLatency = (ms: number): void => void this.#latencies.push(ms)

  recordProblem(problem: string | null): void {
    this.#problem ??= problem
  }

  result(): RoundResult {
    const seconds = (performance.now() - this.#started) / 1_000
    const { user, system } = process.cpuUsage(this.#cpu)
    const sorted = Float64Array.from(this.#latencies).sort()
    return {
      requests: sorted.length,
      seconds,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
      loadCpuMs: (user + system) / 1_000,
      problem: this.#problem,
    }
  }
}
