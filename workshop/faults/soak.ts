/**
 * Mixed traffic with a kill in the middle, on the production build (npm run build):
 *
 *   node workshop/faults/soak.ts [--minutes 10] [--engine sqlite|postgres]
 *
 * Without --engine it runs on each engine in turn. Loopback only; eight users with one request at a time each.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { devGoogle } from '../../service/development/google.ts'
import { signInAtDevGoogle } from '../../service/test/support/faults/app.ts'
import { Cluster } from '../../service/test/support/faults/cluster.ts'
import { count, seconds } from '../../service/test/support/faults/figures.ts'
import { MemorySampler } from '../../service/test/support/faults/memory-sampler.ts'
import { preload } from '../../service/test/support/faults/preload.ts'
import { Traffic } from '../../service/test/support/faults/traffic.ts'
import { assertInvariants } from '../../service/test/support/ledger/invariants.ts'
import { Ledger } from '../../service/test/support/ledger/ledger.ts'
import { percentile } from '../../service/test/support/ledger/observed-responses.ts'
import { ENGINES, type Engine, freshFolder } from '../../service/test/support/postgres/engines.ts'
import { startPostgres } from '../../service/test/support/postgres/pg-server.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { listen } from '../../service/test/support/transport/listen.ts'

/** The share of the time after a start in which code is compiled and caches fill. */
const WARM_UP = 0.4
/** Allowed growth after warm-up: stored revocations, and allocator noise. */
const GROWTH_MAX = { share: 0.12, mb: 12 }
const RECOVERY_MS = 5_000
/** The newest entries of the ledger are all checked, the rest are sampled. */
const CHECKED = 5_000

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, engine: { type: 'string' } },
})
const minutes = Number(values.minutes)
assert.ok(minutes > 0 && minutes <= 60, '--minutes is a number up to 60')
const engines = ENGINES.filter((engine) => values.engine === undefined || values.engine === engine)
assert.ok(engines.length > 0, '--engine is sqlite or postgres')

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** The development Google runs inside the process on SQLite, and beside the two processes on PostgreSQL. */
async function startCluster(
  t: TestContext,
  engine: Engine,
): Promise<{ cluster: Cluster; googleOrigin: string }> {
  if (engine === 'sqlite') {
    const cluster = await Cluster.start(t, { engine, settings: preload('collect-garbage') })
    return { cluster, googleOrigin: cluster.baseUrl }
  }
  const postgres = await startPostgres(['synchronous_commit=on'])
  t.after(() => postgres.stop())
  const { server, port } = await listen(t)
  const issuer = `http://localhost:${port}`
  const client = { clientId: 'soak', clientSecret: 'secret-of-the-soak' }
  // No process listens here: the test browser picks an instance, as a load balancer does.
  const baseUrl = `http://localhost:${await freePort()}`
  const redirectUris = [`${baseUrl}/auth/google/callback`]
  server.on(
    'request',
    (await devGoogle({ issuer, clients: [{ ...client, redirectUris }] })).listener,
  )
  const settings = {
    ...preload('collect-garbage'),
    GOOGLE_ISSUER: issuer,
    GOOGLE_CLIENT_ID: client.clientId,
    GOOGLE_CLIENT_SECRET: client.clientSecret,
  }
  const cluster = await Cluster.start(t, { engine, databases: [postgres.url], settings, baseUrl })
  return { cluster, googleOrigin: issuer }
}

for (const engine of engines) {
  test(`[${engine}] ${minutes} minutes of mixed traffic with a kill in the middle: no acknowledged change is lost or duplicated, memory stays flat, and errors occur only around the kill`, async (t) => {
    const { cluster, googleOrigin } = await startCluster(t, engine)
    const ledger = await Ledger.in(await freshFolder())
    const traffic = await Traffic.to(cluster, ledger, signInAtDevGoogle(googleOrigin))
    t.after(async () => {
      await traffic.stop()
      await ledger.close()
    })
    const half = (minutes * 60_000) / 2
    traffic.start()
    const before = cluster.instances.map((instance) => new MemorySampler(instance))
    await sleep(half)

    const [victim] = cluster.instances
    assert.ok(victim)
    const killed = performance.now()
    await victim.end('SIGKILL')
    await victim.restart()
    await cluster.ready()
    const ready = performance.now()
    await before[0]?.stop()
    const after = cluster.instances.map((instance) => new MemorySampler(instance))
    await sleep(half)
    await traffic.stop()
    for (const sampler of [...before, ...after]) {
      await sampler.stop()
    }
    await traffic.settle()

    const { length } = await ledger.entries()
    const { acknowledged } = await assertInvariants(
      cluster,
      ledger,
      traffic,
      Math.max(0, length - CHECKED),
    )
    const unexpected = cluster.seen.unavailableAt.filter(
      (at) => at < killed - 50 || at > ready + RECOVERY_MS,
    )
    print(
      `[${engine}] ${count(acknowledged)} acknowledged, 0 lost, 0 duplicated; responses: ${cluster.seen}`,
    )
    print(
      `[${engine}] ready ${seconds(ready - killed)} after the kill; 50 % within ${ms(0.5)}, 99 % within ${ms(0.99)}`,
    )
    for (const [name, samplers] of [
      ['until the kill', before],
      ['after it', after],
    ] as const) {
      for (const [at, sampler] of samplers.entries()) {
        const { first, last, slope } = sampler.fit(WARM_UP)
        print(`[${engine}] instance ${at + 1} ${name}, MB: ${sampler.series()}`)
        print(
          `[${engine}]   after warm-up ${first.toFixed(1)} → ${last.toFixed(1)} MB, ${slope.toFixed(2)} MB a minute`,
        )
        const most = Math.max(first * (1 + GROWTH_MAX.share), first + GROWTH_MAX.mb)
        assert.ok(
          last <= most,
          `instance ${at + 1} ${name} grew from ${Math.round(first)} to ${Math.round(last)} MB`,
        )
      }
    }
    assert.equal(
      unexpected.length,
      0,
      `${unexpected.length} requests failed outside the recovery from the kill`,
    )

    function ms(share: number): string {
      return `${Math.round(percentile(cluster.seen.durationsMs, share))} ms`
    }
  })
}
