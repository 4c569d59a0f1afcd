import type { ApiResponse } from './answer-reader.ts'

/**
 * What to ask, and which answers are right. A lane is one connection: it asks, waits for the answer, and asks again.
 * Whatever a work needs to know is in the file that its maker got.
 */
export interface Work {
  /** Before each round, outside the measured time. */
  prepare?(): void
  /** The next request of this lane, ready to send; null: there is nothing left to ask. */
  next(lane: number): Buffer | null
  /** null: the answer to this lane's last request is right. Otherwise what is wrong with it. */
  problem(lane: number, response: ApiResponse): string | null
}

/** Something that takes several requests to several servers. It answers null, or what went wrong. */
export interface Journey {
  journey(lane: number): Promise<string | null>
}

export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** As bytes on the wire. */
export function encoded({ method, path, headers = {}, body }: HttpRequest, host: string): Buffer {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}
