import { connect } from 'node:net'

/** Whether the port serves HTTP; any status counts. Doesn't use `fetch`, whose first call takes longer than a start. */
export function responds(port: number, path: string): Promise<boolean> {
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
