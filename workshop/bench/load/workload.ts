import type { RawResponse } from './response-reader.ts'

/**
 * The requests to send, and the check of their responses. Each connection has one request in flight. A workload's module
 * gets its data from a file.
 */
export interface Workload {
  /** Called before each round, outside the measured time. */
  prepare?(): void
  /** The next request of this connection as bytes; null when there is none left. */
  next(connection: number): Buffer | null
  /** Null if the response to this connection's last request is correct, otherwise what is wrong. */
  problem(connection: number, response: RawResponse): string | null
}

/** A user journey of several requests to several servers. Resolves to null or to what went wrong. */
export interface Journey {
  journey(connection: number): Promise<string | null>
}

export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The bytes of the request on the wire. */
export function encodeRequest(
  { method, path, headers = {}, body }: HttpRequest,
  host: string,
): Buffer {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}
