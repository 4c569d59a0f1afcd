import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientOptions, createClient } from '../../sdk/src/index.ts'
import { notesApp } from './app.ts'

export interface NotesOptions extends Pick<ClientOptions, 'baseUrl' | 'tenantId' | 'fetch'> {
  /** 0 for any free port. */
  readonly port: number
}

export interface RunningNotes {
  readonly url: string
  /** Register this URL with the service. */
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
  // Throws on invalid options before the server listens.
  createClient(options)
  const server = createServer()
  await new Promise<void>((resolve, reject) =>
    server.on('error', reject).listen(port, '127.0.0.1', resolve),
  )
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const callbackUrl = `${url}/callback`
  const listener = notesApp(createClient({ ...options, redirectUri: callbackUrl }))
  server.on('request', (req, res) => void listener(req, res))
  return {
    url,
    callbackUrl,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
