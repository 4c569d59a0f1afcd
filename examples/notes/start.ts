import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientOptions, createClient } from '../../sdk/src/index.ts'
import { notesApp } from './app.ts'

export interface NotesOptions extends Pick<ClientOptions, 'baseUrl' | 'tenantId' | 'fetch'> {
  /** 0: any free port. */
  readonly port: number
}

export interface RunningNotes {
  readonly url: string
  /** To be registered with the service. */
  readonly callbackUrl: string
  close(): Promise<void>
}

/**
 * Starts the app on this machine.
 *
 * ```ts
 * const notes = await startNotes({ port: 3000, baseUrl: 'http://localhost:8787', tenantId: 'swift-fox-running-k3qd' })
 * ```
 */
export async function startNotes({ port, ...options }: NotesOptions): Promise<RunningNotes> {
  // Settings that cannot work are refused before anything listens.
  createClient(options)
  const server = createServer()
  await new Promise<void>((ready, failed) => server.on('error', failed).listen(port, '127.0.0.1', ready))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const callbackUrl = `${url}/callback`
  const response = notesApp(createClient({ ...options, redirectUri: callbackUrl }))
  server.on('request', (req, res) => void response(req, res))
  return {
    url,
    callbackUrl,
    close() {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}
