import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Bench } from '../bench.ts'
import { type Endpoints, type PopulatedTenant, populate } from '../contenders/gatehouse/populate.ts'
import { productionSettings, startGatehouse } from '../contenders/gatehouse/start.ts'
import { readOptions } from '../options.ts'
import type { Program } from '../processes/program.ts'
import { placement, usageOfAll } from '../processes/usage.ts'
import { quantile } from '../statistics.ts'
import { Refresher } from './refresher.ts'

/**
 * How long another tenant's delivery takes beside 200 endpoints that answer 200 after 2.8 s, of one tenant, of 40 and of 200
 * guests, and the CPU time of a delivery to fast endpoints. SQLite, loopback only:
 *
 *   node workshop/bench/webhooks/run.ts [--seconds 20] [--refreshes 3000]
 */
const SLOW_MS = 2_800
interface Scene {
  readonly tenants: number
  /** The slow endpoints of each. */
  readonly perTenant: number
  /** A guest has one endpoint and five events a minute; a production service accepts no more. */
  readonly guests?: boolean
  readonly eventEveryMs: number
}
const SCENES: readonly Scene[] = [
  { tenants: 0, perTenant: 0, eventEveryMs: 0 },
  { tenants: 1, perTenant: 200, eventEveryMs: 250 },
  { tenants: 40, perTenant: 5, eventEveryMs: 250 },
  { tenants: 200, perTenant: 1, eventEveryMs: 12_500, guests: true },
]
const OTHER_EVENT_EVERY_MS = 250
const FAST_TENANTS = 50
const SESSIONS_PER_TENANT = 4
/** No delivery of this bench takes longer. */
const GIVE_UP_MS = 120_000

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    refreshes: { type: 'string', default: '3000' },
  },
})
const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-webhooks-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => process.exit(1))
}
const log = (line: string): void => void process.stderr.write(`· ${line}\n`)
const bench: Bench = { options: readOptions([]), placement: placement(), folder, log }

/** Answers after the number of milliseconds in the path. Tells the last part of the path when a delivery arrives. */
let arrived: (name: string) => void = () => {}
const receiver = createServer((req, res) => {
  const [, delay = '0', name = ''] = (req.url ?? '').split('/')
  req.resume()
  req.on('end', () => {
    arrived(name)
    setTimeout(() => res.end(), Number(delay))
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const endpoints = (perTenant: number, delayMs: number, name: string): Endpoints => ({
  perTenant,
  url: `http://localhost:${(receiver.address() as AddressInfo).port}/${delayMs}/${name}`,
  events: ['token_refreshed'],
})

for (const scene of SCENES) {
  await besideSlow(scene)
}
await costOfDelivery()
process.exit()

interface Running {
  readonly program: Program
  readonly tenants: readonly (readonly PopulatedTenant[])[]
}

/** A service at a loopback address, which may send to loopback, with one group of tenants per plan. */
async function start(
  name: string,
  groups: readonly { tenants: number; guests?: boolean; webhooks: Endpoints }[],
): Promise<Running> {
  const settings = await productionSettings(path.join(folder, name))
  const { GOOGLE_CLIENT_ID: _id, GOOGLE_CLIENT_SECRET: _secret, ...development } = settings
  const local = {
    ...development,
    PORT: settings.PORT,
    BASE_URL: `http://localhost:${settings.PORT}`,
  }
  const tenants: (readonly PopulatedTenant[])[] = []
  for (const group of groups) {
    const population = await populate(bench, local, {
      ...group,
      sessionsPerTenant: SESSIONS_PER_TENANT,
    })
    tenants.push(population.tenants)
  }
  return {
    program: await startGatehouse(bench, local, { name: `gatehouse-${name}`, build: 'production' }),
    tenants,
  }
}

async function besideSlow({
  tenants: slowTenants,
  perTenant,
  guests = false,
  eventEveryMs,
}: Scene): Promise<void> {
  const slowGroup = {
    tenants: slowTenants,
    guests,
    webhooks: endpoints(perTenant, SLOW_MS, 'slow'),
  }
  const { program, tenants } = await start(`slow-${slowTenants}`, [
    ...(slowTenants === 0 ? [] : [slowGroup]),
    { tenants: slowTenants + 1, webhooks: endpoints(1, 0, 'other') },
  ])
  // The first tenants of both groups have the same owners, and so the same limits.
  const other = new Refresher(program.port, tenants.at(-1)?.at(-1) as PopulatedTenant)
  const slow =
    slowTenants === 0 ? [] : (tenants[0] ?? []).map((tenant) => new Refresher(program.port, tenant))
  const end = performance.now() + Number(values.seconds) * 1_000
  const load = slow.map(async (refresher) => {
    for (; performance.now() < end; await sleep(eventEveryMs)) {
      await refresher.refresh()
    }
  })
  const waits: number[] = []
  let slowDeliveries = 0
  while (performance.now() < end) {
    const { promise, resolve } = Promise.withResolvers<number>()
    arrived = (name) => {
      if (name === 'other') {
        resolve(performance.now())
      } else {
        slowDeliveries += 1
      }
    }
    await other.refresh()
    // The wait for the response itself is measured by `npm run bench -- fairness`.
    const answered = performance.now()
    const arrivedAt = await Promise.race([
      promise,
      sleep(GIVE_UP_MS, Number.POSITIVE_INFINITY, { ref: false }),
    ])
    waits.push(Math.max(0, arrivedAt - answered))
    await sleep(OTHER_EVENT_EVERY_MS)
  }
  await Promise.all(load)
  for (const refresher of [other, ...slow]) {
    refresher.close()
  }
  await program.stop()
  const sorted = waits.toSorted((a, b) => a - b)
  const [median, p95, max] = [0.5, 0.95, 1].map((share) => quantile(sorted, share).toFixed(0))
  process.stdout.write(
    `beside ${slowTenants * perTenant} slow endpoints of ${slowTenants} ${guests ? 'guests' : 'tenants'} (${slowDeliveries} deliveries to them): another tenant's delivery arrives ${median} ms after the response to its request (median of ${waits.length}; p95 ${p95}, longest ${max})\n`,
  )
}

/** The same refreshes, of tenants with a fast endpoint and of tenants without one. */
async function costOfDelivery(): Promise<void> {
  const cpu: number[] = []
  let seconds = 0
  const refreshes = Number(values.refreshes)
  for (const perTenant of [0, 1]) {
    const group = { tenants: FAST_TENANTS, webhooks: endpoints(perTenant, 0, 'fast') }
    const { program, tenants } = await start(`fast-${perTenant}`, [group])
    const refreshers = (tenants[0] ?? []).map((tenant) => new Refresher(program.port, tenant))
    await Promise.all(refreshers.map((refresher) => refresher.refresh()))
    await sleep(2_000)
    let deliveries = 0
    const all = Promise.withResolvers<void>()
    arrived = () => {
      deliveries += 1
      if (deliveries === refreshes) {
        all.resolve()
      }
    }
    const before = usageOfAll([program.pid]).cpuMs
    const began = performance.now()
    let left = refreshes
    await Promise.all(
      refreshers.map(async (refresher) => {
        while (left-- > 0) {
          await refresher.refresh()
        }
      }),
    )
    if (perTenant > 0) {
      await Promise.race([all.promise, sleep(GIVE_UP_MS, undefined, { ref: false })])
    }
    seconds = (performance.now() - began) / 1_000
    cpu.push(usageOfAll([program.pid]).cpuMs - before)
    if (perTenant > 0 && deliveries < refreshes) {
      throw new Error(`${deliveries} of ${refreshes} events were delivered`)
    }
    for (const refresher of refreshers) {
      refresher.close()
    }
    await program.stop()
  }
  const [without = 0, withEndpoint = 0] = cpu
  const each = (withEndpoint - without) / refreshes
  process.stdout.write(
    `${refreshes} refreshes: ${(without / refreshes).toFixed(2)} ms of CPU time each without an endpoint, ${(withEndpoint / refreshes).toFixed(2)} with one that answers at once: a delivery costs ${each.toFixed(2)} ms, so one core sends ${(1_000 / each).toFixed(0)} a second; here the last arrived after ${seconds.toFixed(1)} s\n`,
  )
}
