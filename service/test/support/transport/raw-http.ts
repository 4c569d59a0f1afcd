import { connect } from 'node:net'
import { HANG_TIMEOUT_MS } from '../process/wait-until.ts'

interface RawResponse {
  readonly status: number
  readonly head: string
  readonly body: string
}

/**
 * Sends these bytes and reads until the server closes the connection: for paths and bodies that an HTTP client
 * normalizes or rejects. Rejects when the connection is still open after `withinMs`.
 */
export const rawHttp = (
  baseUrl: string,
  lines: readonly string[],
  body = '',
  withinMs = HANG_TIMEOUT_MS,
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) })
    socket.setTimeout(withinMs, () => socket.destroy(new Error(`still open after ${withinMs} ms`)))
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
    // A server that closes while the client still sends resets the connection; the response received so far is used.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') {
        reject(error)
      }
    })
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString()
      const end = text.indexOf('\r\n\r\n')
      const head = end < 0 ? text : text.slice(0, end)
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
        head,
        body: end < 0 ? '' : text.slice(end + 4),
      })
    })
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  })
