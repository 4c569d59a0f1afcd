import { connect } from 'node:net'

/** Does anybody answer HTTP here yet? Any status is an answer. Not `fetch`: the first one costs more than a start. */
export function responses(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('connect', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`),
    )
    socket.once('data', (chunk) => {
      socket.destroy()
      resolve(chunk.toString('latin1').startsWith('HTTP/'))
    })
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
  })
}
