import type { TestContext } from 'node:test'
import type { Pair, Tenant } from '../actors/agent.ts'
import { Ledger } from '../ledger/ledger.ts'
import { type Engine, freshFolder, freshPostgres } from '../postgres/engines.ts'
import type { Launch, Settings } from '../process/service-process.ts'
import { ownedApp, permissiveProvider, randomEmail, signIn } from './app.ts'
import { Cluster, type ClusterOptions } from './cluster.ts'
import { Traffic } from './traffic.ts'

export interface Fixture {
  readonly cluster: Cluster
  /** Owned by an account on the largest plan. */
  readonly app: Tenant
}

/** The service in separate processes, a provider that accepts any user, and one app. */
export async function createFixture(
  t: TestContext,
  engine: Engine,
  options: Partial<Omit<ClusterOptions, 'engine'>> & {
    readonly settings?: Settings
    readonly launch?: Launch
  } = {},
): Promise<Fixture> {
  const provider = await permissiveProvider(t)
  const databases = options.databases ?? (engine === 'postgres' ? [await freshPostgres()] : [])
  const settings = { ...provider.settings, ...options.settings }
  const cluster = await Cluster.start(t, { ...options, engine, databases, settings })
  return { cluster, app: await ownedApp(cluster) }
}

/** Mixed traffic to the cluster, and the ledger that records what the service acknowledges. */
export async function createTraffic(
  t: TestContext,
  cluster: Cluster,
  users?: number,
): Promise<{ readonly traffic: Traffic; readonly ledger: Ledger }> {
  const ledger = await Ledger.in(await freshFolder())
  const traffic = await Traffic.to(cluster, ledger, signIn, users)
  // A test that fails under load must not leave the traffic running.
  t.after(async () => {
    await traffic.stop()
    await ledger.close()
  })
  return { ledger, traffic }
}

export async function newTokenPair({ cluster, app }: Fixture): Promise<Pair> {
  const pair = await signIn(cluster, app, randomEmail())
  if (pair === null) {
    throw new Error('the sign-in failed')
  }
  return pair
}
