import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '../../service/test/support/actors/agent.ts'
import type { Cluster } from '../../service/test/support/faults/cluster.ts'
import { signInAt, verify } from './load.ts'
import { NUMBERS, type PatroniCluster, until } from './patroni-cluster.ts'

interface Situation {
  readonly nodes: PatroniCluster
  readonly cluster: Cluster
  readonly apps: readonly Tenant[]
  /** The number of the node that is the primary when the event begins. */
  readonly primary: number
}

/** Returns when the fault is over, with a note for the table. */
type Event = (situation: Situation) => Promise<unknown>

/** Longer than `ttl` in deploy/patroni/patroni.yml, and an election. */
const LOST_MS = 30_000

export const EVENTS: Readonly<Record<string, Event>> = {
  async killPostgres({ nodes, primary }) {
    nodes.signal(nodes.postgresPids(primary), 'SIGKILL')
    await sleep(3_000)
  },

  async killBoth({ nodes, primary }) {
    nodes.signal([...nodes.patroniPids(primary), ...nodes.postgresPids(primary)], 'SIGKILL')
    await sleep(LOST_MS)
    nodes.startPatroni(primary)
  },

  /** The watchdog would restart such a node. Without it PostgreSQL runs on: two servers accept writes. */
  async killPatroni({ nodes, cluster, primary }) {
    nodes.signal(nodes.patroniPids(primary), 'SIGKILL')
    await until('another primary', 60_000, () => nodes.primary(primary))
    await sleep(10_000)
    const where = await connections(nodes)
    const ready = await readiness(cluster)
    await sleep(15_000)
    nodes.startPatroni(primary)
    return `10 s after the election: connections ${where}; ${ready}`
  },

  /** An instance that starts meanwhile, and sessions that end there: when does the other instance refuse them? */
  async split({ nodes, cluster, apps, primary }) {
    const [first, second] = cluster.instances
    const [app] = apps
    if (first === undefined || second === undefined || app === undefined) {
      throw new Error('too few instances')
    }
    const pair = await signInAt(cluster, first, app, `split-${primary}-${Date.now()}@example.com`)
    if (!('access_token' in pair)) {
      throw new Error(`no sign-in: ${pair.status}`)
    }
    nodes.signal(nodes.patroniPids(primary), 'SIGKILL')
    await until('another primary', 60_000, () => nodes.primary(primary))
    await second.end('SIGTERM')
    await second.restart()
    await until('a logout', 30_000, async () => {
      const response = await app
        .at(second.agent)
        .edge('logout', { refresh_token: pair.refresh_token })
      return response.status === 200
    })
    const ended = performance.now()
    let refusedAfter: number | null = null
    for (; performance.now() - ended < 60_000 && refusedAfter === null; await sleep(200)) {
      if ((await verify(first, app, pair.access_token)) !== true) {
        refusedAfter = (performance.now() - ended) / 1_000
      }
    }
    const where = await connections(nodes)
    const ready = await readiness(cluster)
    nodes.startPatroni(primary)
    if (refusedAfter === null) {
      throw new Error(`a session that ended is valid at the other instance after 60 s (${ready})`)
    }
    return `the other instance refuses an ended session after ${refusedAfter.toFixed(1)} s; connections ${where}; ${ready}`
  },

  async stopPostgres({ nodes, primary }) {
    await suspended(nodes, nodes.postgresPids(primary))
  },

  async stopPatroni({ nodes, primary }) {
    await suspended(nodes, nodes.patroniPids(primary))
  },

  async stopBoth({ nodes, primary }) {
    await suspended(nodes, [...nodes.patroniPids(primary), ...nodes.postgresPids(primary)])
  },

  async switchover({ nodes }) {
    await nodes.switchover()
    await sleep(3_000)
  },

  async switchoverTen({ nodes }) {
    for (let n = 0; n < 10; n++) {
      await nodes.switchover()
      await nodes.whole()
    }
  },

  async etcdOne({ nodes }) {
    nodes.killEtcd(3)
    await sleep(15_000)
    nodes.startEtcd(3)
  },

  async etcdTwo({ nodes }) {
    for (const n of [2, 3]) {
      nodes.killEtcd(n)
    }
    await sleep(LOST_MS)
    for (const n of [2, 3]) {
      nodes.startEtcd(n)
    }
  },

  /** The instances still reach the primary that the other nodes have lost. */
  async cutNodes({ nodes, primary }) {
    nodes.cut(primary, 'nodes')
    await sleep(40_000)
    nodes.heal()
  },

  async cutPrimary({ nodes, primary }) {
    nodes.cut(primary, 'both')
    await sleep(40_000)
    nodes.heal()
  },

  async cutClients({ nodes, primary }) {
    nodes.cut(primary, 'clients')
    await sleep(20_000)
    nodes.heal()
  },

  async cutReplica({ nodes, primary }) {
    nodes.cut(await nodes.synchronousStandby(primary), 'both')
    await sleep(20_000)
    nodes.heal()
  },

  async reinit({ nodes, primary }) {
    await nodes.control('reinit', 'gatehouse', `node${(primary % 3) + 1}`, '--force')
    await sleep(5_000)
  },

  async rolling({ nodes, primary }) {
    for (const n of NUMBERS) {
      if (n === primary) {
        continue
      }
      await nodes.control('restart', 'gatehouse', `node${n}`, '--force')
      await nodes.whole()
    }
    await nodes.control('restart', 'gatehouse', `node${primary}`, '--force')
  },
}

/** About eight minutes. `+restart`: the second instance restarts two seconds after the event begins. */
export const SHORT = [
  'killPostgres',
  'killBoth+restart',
  'killPatroni',
  'split',
  'cutNodes',
  'switchover',
  'etcdTwo',
]

async function suspended(nodes: PatroniCluster, pids: readonly number[]): Promise<void> {
  nodes.signal(pids, 'SIGSTOP')
  await sleep(LOST_MS)
  nodes.signal(pids, 'SIGCONT')
}

/** Of the service, at each node. */
async function connections(nodes: PatroniCluster): Promise<string> {
  const found: string[] = []
  for (const n of NUMBERS) {
    const count = `select count(*) as n, pg_is_in_recovery() as standby from pg_stat_activity where usename = 'gatehouse'`
    const [row] = await nodes.sql(n, count, 'postgres').catch(() => [])
    if (row !== undefined) {
      found.push(`node${n}${row.standby === false ? ' (writable)' : ''} ${row.n}`)
    }
  }
  return found.join(', ')
}

async function readiness({ instances }: Cluster): Promise<string> {
  const statuses = await Promise.all(
    instances.map(({ agent }) =>
      agent.call('GET', '/readyz').then(
        ({ status }) => status,
        () => 0,
      ),
    ),
  )
  return `/readyz ${statuses.join(' ')}`
}
