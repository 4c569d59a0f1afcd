import type { TestContext } from 'node:test'
import type { Pair, Tenant } from '../actors/agent.ts'
import { Ledger } from '../ledger/ledger.ts'
import { type Engine, freshFolder, freshPostgres } from '../postgres/engines.ts'
import type { Launch, Settings } from '../process/service-process.ts'
import { openProvider, ownedApp, signIn, somebody } from './app.ts'
import { Cluster, type ClusterOptions } from './cluster.ts'
import { Traffic } from './traffic.ts'

export interface Scene {
  readonly cluster: Cluster
  /** Of an owner with the largest plan. */
  readonly app: Tenant
}

/** The service in processes of its own, a provider that lets anybody in, and one app. */
export async function scene(
  t: TestContext,
  engine: Engine,
  options: Partial<Omit<ClusterOptions, 'engine'>> & { readonly settings?: Settings; readonly launch?: Launch } = {},
): Promise<Scene> {
  const provider = await openProvider(t)
  const databases = options.databases ?? (engine === 'postgres' ? [await freshPostgres()] : [])
  const settings = { ...provider.settings, ...options.settings }
  const cluster = await Cluster.start(t, { ...options, engine, databases, settings })
  return { cluster, app: await ownedApp(cluster) }
}

/** Traffic to it, and the ledger that it is written down in. */
export async function underLoad(
  t: TestContext,
  cluster: Cluster,
  visitors?: number,
): Promise<{ readonly traffic: Traffic; readonly ledger: Ledger }> {
  const ledger = await Ledger.in(await freshFolder())
  const traffic = await Traffic.to(cluster, ledger, signIn, visitors)
  // A test that fails in the middle of it must not leave it running.
  t.after(async () => {
    await traffic.stop()
    await ledger.close()
  })
  return { ledger, traffic }
}

export async function pairFor({ cluster, app }: Scene): Promise<Pair> {
  const pair = await signIn(cluster, app, somebody())
  if (pair === null) throw new Error('nobody could sign in')
  return pair
}
