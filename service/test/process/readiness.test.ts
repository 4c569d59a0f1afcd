import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { ENGINES } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { type World, world } from '../support/world.ts'

/** A request whose last bytes are sent by `finish`. */
function unfinishedRequest({ config }: World, path: string): { finish(): Promise<string> } {
  const socket = connect(config.port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n`)
  return {
    async finish() {
      let response = ''
      socket.setEncoding('utf8').on('data', (text) => {
        response += text
      })
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write('\r\n')
      await closed
      return response
    },
  }
}

for (const engine of ENGINES) {
  test(`[${engine}] /readyz is 200 once the service listens and 503 while it shuts down; /healthz stays 200`, async (t) => {
    const here = await world(t, { through: 'port', engine, realTime: true })
    const ready = await here.agent.call('GET', '/readyz')
    assert.deepEqual([ready.status, ready.json], [200, { status: 'ready' }])
    assert.equal(ready.headers.get('cache-control'), 'no-store')
    const alive = await here.agent.call('GET', '/healthz')
    assert.deepEqual([alive.status, alive.json], [200, { status: 'ok' }])

    const sockets: Socket[] = []
    here.app.server.on('connection', (socket: Socket) => sockets.push(socket))
    const [readyz, healthz] = [
      unfinishedRequest(here, '/readyz'),
      unfinishedRequest(here, '/healthz'),
    ]
    await waitUntil(
      'both requests have begun',
      () => sockets.filter(({ bytesRead }) => bytesRead > 0).length === 2,
    )
    const stopping = here.stop()
    await waitUntil('the port is closed', () => !here.app.server.listening)
    const response = await readyz.finish()
    assert.match(response, /^HTTP\/1\.1 503 /)
    assert.match(response, /\{"status":"unavailable","reasons":\["shutting down"\]\}/)
    assert.match(response, /^connection: close\r$/im)
    assert.match(await healthz.finish(), /^HTTP\/1\.1 200 /)
    await stopping
    await assert.rejects(here.agent.call('GET', '/readyz'), { code: 'ECONNREFUSED' })
  })
}

test('/healthz and /readyz need no credentials and return only the status', async (t) => {
  const here = await world(t, { through: 'port', realTime: true })
  for (const path of ['/healthz', '/readyz']) {
    const response = await here.agent.call('GET', path)
    assert.deepEqual(Object.keys(response.json), ['status'])
    assert.equal(response.headers.get('set-cookie'), null)
    assert.equal((await here.agent.call('HEAD', path)).status, 200)
  }
})
