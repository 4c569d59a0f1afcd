import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pair } from '../support/actors/agent.ts'
import { count, figure, fullOrShort, seconds } from '../support/faults/figures.ts'
import { createFixture, newTokenPair } from '../support/faults/fixture.ts'
import { sqliteOnly } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { haproxy } from '../support/proxies/haproxy.ts'
import { nginx } from '../support/proxies/nginx.ts'
import { ProxiedTraffic } from '../support/proxies/proxied-traffic.ts'
import { findProxy } from '../support/proxies/proxy.ts'
import { long } from '../support/tags.ts'

const RESTARTS = fullOrShort(10, 1)
const REQUESTS = fullOrShort(20_000, 500)
const CLIENTS = 16

for (const [name, start, workers, machine] of [
  ['nginx', nginx, 1, 'idle'],
  ['haproxy', haproxy, 1, 'idle'],
  ['nginx', nginx, 2, 'idle'],
  ['nginx', nginx, 2, 'busy'],
] as const) {
  test(`F40: ${RESTARTS} rolling restarts of two instances${workers > 1 ? ` with ${workers} workers each` : ''} behind ${name}${machine === 'busy' ? ', with pauses of up to 2.6 s in which a stopping process has no CPU time' : ''}: none of ${count(REQUESTS)} requests fails`, {
    // At night: beside other tests, a proxy that waits for a core sends a request on a connection that is just being closed.
    // In CI, process/stop.test.ts tests each step of a stop, and process/proxies.test.ts both published configurations.
    skip: sqliteOnly || long,
    timeout: 900_000,
  }, async (t) => {
    const program = await findProxy(name)
    if (typeof program === 'string') {
      return t.skip(program)
    }
    const fixture = await createFixture(t, 'postgres', { settings: { WORKERS: String(workers) } })
    const { cluster, app } = fixture
    const portOf = ({ service }: (typeof cluster.instances)[number]): number =>
      Number(service.settings.PORT)
    const proxy = await start(program)(t, cluster.instances.map(portOf))
    for (const instance of cluster.instances) {
      await proxy.inService(portOf(instance))
    }
    const pairs: Pair[] = []
    while (pairs.length < CLIENTS) {
      pairs.push(await newTokenPair(fixture))
    }
    const traffic = new ProxiedTraffic(app, proxy.port, pairs)
    t.after(() => traffic.stop())
    await waitUntil('the proxy passes requests on', () => traffic.requests > CLIENTS * 4)

    const began = performance.now()
    let stops = 0
    for (let restart = 1; restart <= RESTARTS; restart++) {
      for (const instance of cluster.instances) {
        const stopped = performance.now()
        if (machine === 'busy') {
          for (const pid of childrenOf(instance.pid)) {
            void pause(pid)
          }
        }
        const { code } = await instance.end('SIGTERM')
        stops += performance.now() - stopped
        assert.equal(code, 0)
        await instance.restart()
        await cluster.ready()
        await proxy.inService(portOf(instance))
        assert.deepEqual(traffic.errors, [], `rolling restart ${restart}\n${proxy.errorLog()}`)
      }
      const due = (REQUESTS * restart) / RESTARTS
      await waitUntil(`${due} requests are sent`, () => traffic.requests >= due)
    }
    await traffic.stop()
    assert.deepEqual(traffic.errors, [], proxy.errorLog())
    figure(
      t,
      `F40 [${name}, ${workers} workers, ${machine}]: ${RESTARTS} rolling restarts in ${seconds(performance.now() - began)}, ${count(traffic.requests)} requests, 0 errors, a stop took ${seconds(stops / RESTARTS / 2)}`,
    )
  })
}

/** Suspends a process for a random time around a signal, as a busy machine does for shorter times. */
async function pause(pid: number): Promise<void> {
  await sleep(Math.random() * 100)
  if (!signalled(pid, 'SIGSTOP')) {
    return
  }
  await sleep(100 + Math.random() * 2_500)
  signalled(pid, 'SIGCONT')
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

/** False if the process has exited. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
