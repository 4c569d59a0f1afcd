import type { ClientRequest } from 'node:http'

/**
 * Rejects for every way in which an outgoing request can end without a response. Node emits no error for two of them:
 * a `101 Switching Protocols` (it only closes the socket), and a deadline that passes after that.
 */
export function rejectWithoutResponse(
  request: ClientRequest,
  reject: (error: Error) => void,
  deadline: AbortSignal | null | undefined,
): void {
  request.on('error', reject)
  request.on('upgrade', (_response, socket) => {
    socket.destroy()
    reject(new Error('the server switched protocols'))
  })
  deadline?.addEventListener(
    'abort',
    () => {
      request.destroy()
      reject(deadline.reason)
    },
    { once: true },
  )
}
