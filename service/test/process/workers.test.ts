import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent as Connections } from 'node:http'
import { test } from 'node:test'
import { freshPostgres } from '../support/postgres/engines.ts'
import { loadedModules, REPORTING } from '../support/process/loaded-modules.ts'
import { type ServiceProcess, startService } from '../support/process/service-process.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { overKeepAlive } from '../support/transport/http-transport.ts'

const GOOGLE = { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' }

/** Sends requests on new connections, which the kernel distributes, until this many processes have responded. */
async function respondingPids(service: ServiceProcess, processes: number): Promise<string[]> {
  const pids = (): Set<string> =>
    new Set(
      [...service.output().matchAll(/"pid":(\d+)[^\n]*"route"/g)].map((match) => match[1] ?? ''),
    )
  await waitUntil(`${processes} processes have responded`, async () => {
    const response = await service.agent.call('GET', '/healthz').catch(() => null)
    assert.ok(response === null || response.status === 200)
    return pids().size >= processes
  })
  return [...pids()]
}

test('two workers share the port, a killed worker is replaced, and SIGTERM stops all with exit code 0', async (t) => {
  const service = await startService(t, {
    WORKERS: '2',
    DATABASE_URL: await freshPostgres(),
    ...GOOGLE,
  })
  const [victim] = await respondingPids(service, 2)
  process.kill(Number(victim), 'SIGKILL')
  assert.equal((await respondingPids(service, 3)).length, 3)

  const { code } = await service.end('SIGTERM')
  assert.equal(code, 0)
  await assert.rejects(service.agent.call('GET', '/healthz'))
})

test('a worker loads the service and Kysely, and their supervisor loads neither', async (t) => {
  const settings = { WORKERS: '2', DATABASE_URL: await freshPostgres(), ...GOOGLE, ...REPORTING }
  const service = await startService(t, settings)
  const [worker] = await respondingPids(service, 2)
  const loaded = async (pid?: number): Promise<boolean[]> => {
    const modules = await loadedModules(service, pid)
    return ['src/app.ts', 'node_modules/kysely/'].map((part) =>
      modules.some((name) => name.includes(part)),
    )
  }
  assert.notEqual(worker, String(service.child.pid))
  assert.deepEqual(await loaded(Number(worker)), [true, true])
  assert.deepEqual(await loaded(), [false, false])
})

test('SIGTERM: both workers serve for STOP_AFTER_MS with /readyz 503, the port then closes for both, and no request on a kept connection fails', async (t) => {
  const settings = {
    WORKERS: '2',
    STOP_AFTER_MS: '6000',
    DATABASE_URL: await freshPostgres(),
    ...GOOGLE,
  }
  const service = await startService(t, settings)
  await respondingPids(service, 2)
  const connected = new Set<string>()
  /** Sends one request after the other on one connection until a response says that it closes. */
  const useConnection = async (number: number): Promise<string> => {
    const connections = new Connections({ keepAlive: true, maxSockets: 1 })
    t.after(() => connections.destroy())
    let last = ''
    await waitUntil('a response says that the connection closes', async () => {
      const url = new URL('/healthz', service.agent.baseUrl)
      const { status, headers } = await overKeepAlive(connections)(url, {
        method: 'GET',
        headers: {},
        body: null,
      })
      last = `${status} ${headers.get('connection')}`
      const isLast = status !== 200 || headers.get('connection') === 'close'
      if (!isLast) {
        connected.add(String(number))
      }
      return isLast
    })
    return last
  }
  const clients = Array.from({ length: 16 }, (_, number) => useConnection(number))
  await waitUntil('every client has a connection', () => connected.size === clients.length)

  service.child.kill('SIGTERM')
  const unready = (): Set<string> =>
    new Set(
      [...service.output().matchAll(/"pid":(\d+)[^\n]*"\/readyz","status":503/g)].map(
        ([, pid = '']) => pid,
      ),
    )
  await waitUntil('both workers are not ready', async () => {
    // The kernel chooses the worker of each connection: of 16 at once, both get some, also on a slow machine.
    await Promise.all(Array.from({ length: 16 }, () => service.agent.call('GET', '/readyz')))
    return unready().size === 2
  })
  assert.deepEqual([...new Set(await Promise.all(clients))], ['200 close'])
  assert.equal((await service.ended).code, 0)
  await assert.rejects(service.agent.call('GET', '/healthz'), { code: 'ECONNREFUSED' })
})

test('SIGTERM: a worker keeps its connections until the other one has closed the port, too', async (t) => {
  const service = await startService(t, {
    WORKERS: '2',
    DATABASE_URL: await freshPostgres(),
    ...GOOGLE,
  })
  const pids = await respondingPids(service, 2)
  const connections = new Connections({ keepAlive: true, maxSockets: 1 })
  t.after(() => connections.destroy())
  const send = async (): Promise<{ closes: boolean; pid: string | undefined }> => {
    const url = new URL('/healthz', service.agent.baseUrl)
    const { status, headers } = await overKeepAlive(connections)(url, {
      method: 'GET',
      headers: {},
      body: null,
    })
    assert.equal(status, 200)
    const line = (): string | undefined =>
      service
        .output()
        .split('\n')
        .find((each) => each.includes(headers.get('x-request-id') ?? 'none'))
    await waitUntil('the request is logged', () => line() !== undefined)
    return {
      closes: headers.get('connection') === 'close',
      pid: /"pid":(\d+)/.exec(line() ?? '')?.[1],
    }
  }
  const { pid: first } = await send()
  const second = Number(pids.find((pid) => pid !== first))

  // The second worker has no CPU time, so its port stays open.
  process.kill(second, 'SIGSTOP')
  t.after(() => signalIfRunning(second, 'SIGCONT'))
  const began = performance.now()
  service.child.kill('SIGTERM')
  await waitUntil(
    'the first worker has closed its port',
    () => listenersOn(Number(service.settings.PORT)) === 1,
  )
  const { closes, pid } = await send()
  // After that long the first worker no longer waits for the second.
  assert.ok(!closes || performance.now() - began > 5_000, 'the connection closes before the port')
  assert.equal(pid, first)

  process.kill(second, 'SIGCONT')
  await waitUntil('the connection closes', async () => closes || (await send()).closes)
  assert.equal((await service.ended).code, 0)
})

/** How many sockets listen on a port of this machine, by the kernel's tables. */
function listenersOn(port: number): number {
  const local = new RegExp(
    `^ *\\d+: [0-9A-F]+:${port.toString(16).toUpperCase().padStart(4, '0')} [0-9A-F]+:0000 0A `,
    'gm',
  )
  return ['tcp', 'tcp6'].flatMap(
    (table) => readFileSync(`/proc/net/${table}`, 'utf8').match(local) ?? [],
  ).length
}

function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has exited.
  }
}

test('a worker that cannot start reports the reason once, and the exit code is 1', async (t) => {
  await assert.rejects(
    startService(t, {
      WORKERS: '2',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      ...GOOGLE,
    }),
    /PostgreSQL cannot be used/,
  )
})
