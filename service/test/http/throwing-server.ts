import { Readable } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { Env } from '../../src/http/dependencies.ts'
import { failCurrentRequest, failedRequestHandler } from '../../src/http/server/failed-request.ts'
import { httpServer } from '../../src/http/server/server.ts'

// The HTTP server with routes that never respond and throw outside of their handler.
const error = (message: string, cause?: unknown): void =>
  void process.stdout.write(`${message} ${(cause as Error).message}\n`)
const fail = failedRequestHandler('http://localhost', { warn: error, error }, () => {})
const app = new Hono<Env>()
const hanging = new Promise<Response>(() => {})

app.get('/timer', () => {
  setTimeout(() => {
    throw new Error('thrown in a timer')
  }, 1)
  return hanging
})
app.get('/listener', () => {
  Readable.from(['x'])
    .resume()
    .on('end', () => {
      throw new Error('thrown in a listener')
    })
  return hanging
})
app.get('/rejection', () => {
  void Promise.resolve().then(() => Promise.reject(new Error('thrown in a rejection')))
  return hanging
})

process.on('uncaughtException', (thrown) => failCurrentRequest(fail, thrown))
process.on('unhandledRejection', (thrown) => failCurrentRequest(fail, thrown))
const { server, serve } = httpServer({ keepAliveMs: 5_000 })
serve({
  routes: async () => ({ listener: getRequestListener(app.fetch) }),
  health: () => false,
  hostRule: { baseUrl: 'http://localhost', exposed: false },
  devProvider: null,
  fastPaths: [],
  fail,
})
server.listen(0, () => process.stdout.write(`${(server.address() as { port: number }).port}\n`))
