import { Agent as Connections } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SQLITE_FILE } from '../../../src/storage/database-location.ts'
import type { StorageOptions } from '../../../src/storage/open.ts'
import { Agent } from '../actors/agent.ts'
import { Browser } from '../actors/browser.ts'
import { Clock } from '../clock.ts'
import { ObservedResponses } from '../ledger/observed-responses.ts'
import { type Engine, freshFolder } from '../postgres/engines.ts'
import {
  type ExitResult,
  type Launch,
  type ServiceProcess,
  type Settings,
  startService,
  type TestScope,
  TRUST_LOCAL_PROXY,
} from '../process/service-process.ts'
import { freePort } from '../transport/free-port.ts'
import { overKeepAlive, type Transport } from '../transport/http-transport.ts'
import { cpuWaitMs } from './cpu-wait.ts'
import { timeBound } from './figures.ts'

export interface ClusterOptions {
  readonly engine: Engine
  /** Default: one on SQLite, two on PostgreSQL. */
  readonly instances?: number
  /** The PostgreSQL URL of each instance; a single URL is shared by all. */
  readonly databases?: readonly string[]
  readonly settings?: Settings
  readonly launch?: Launch
  /** Default: a new folder. */
  readonly dataDir?: string
  /** The public URL of the cluster. Default: that of the first instance. */
  readonly baseUrl?: string
}

/** One instance of the service, across restarts of its process. */
export class Instance {
  readonly agent: Agent
  readonly #t: TestScope
  readonly #launch: Launch
  readonly #seen: ObservedResponses
  #connections = new Connections({ keepAlive: true, maxSockets: 256 })
  #service: ServiceProcess
  #past = ''

  private constructor(
    t: TestScope,
    service: ServiceProcess,
    launch: Launch,
    seen: ObservedResponses,
  ) {
    this.#t = t
    this.#service = service
    this.#launch = launch
    this.#seen = seen
    this.agent = new Agent(service.agent.baseUrl, this.transport, new Clock())
    t.after(() => this.#connections.destroy())
  }

  static async start(
    t: TestScope,
    settings: Settings,
    launch: Launch,
    seen: ObservedResponses,
  ): Promise<Instance> {
    return new Instance(t, await startService(t, settings, launch), launch, seen)
  }

  readonly transport: Transport = (url, init) =>
    this.#seen.observe(overKeepAlive(this.#connections))(url, init)

  get service(): ServiceProcess {
    return this.#service
  }

  get pid(): number {
    return this.#service.child.pid ?? 0
  }

  get alive(): boolean {
    const { exitCode, signalCode } = this.#service.child
    return exitCode === null && signalCode === null
  }

  /** Standard output of this process and of those before its restarts. */
  get log(): string {
    return this.#past + this.#service.output()
  }

  async end(signal: NodeJS.Signals): Promise<ExitResult> {
    const ended = await this.#service.end(signal)
    this.#connections.destroy()
    return ended
  }

  /** Restarts the process. Returns the start time in milliseconds, excluding the time spent waiting for a core. */
  async restart(changes: Settings = {}, launch = this.#launch): Promise<number> {
    this.#past = this.log
    this.#connections = new Connections({ keepAlive: true, maxSockets: 256 })
    const began = performance.now()
    this.#service = await startService(this.#t, { ...this.#service.settings, ...changes }, launch)
    return performance.now() - began - (await cpuWaitMs(this.pid))
  }
}

/** The service as in production: several processes behind one URL, on one database. */
export class Cluster {
  readonly engine: Engine
  readonly baseUrl: string
  readonly instances: readonly Instance[]
  readonly database: StorageOptions['database']
  readonly seen: ObservedResponses

  private constructor(
    engine: Engine,
    baseUrl: string,
    instances: readonly Instance[],
    database: StorageOptions['database'],
    seen: ObservedResponses,
  ) {
    this.engine = engine
    this.baseUrl = baseUrl
    this.instances = instances
    this.database = database
    this.seen = seen
  }

  static async start(t: TestScope, options: ClusterOptions): Promise<Cluster> {
    const { engine, launch = {}, databases = [] } = options
    const count = options.instances ?? (engine === 'postgres' ? 2 : 1)
    const seen = new ObservedResponses()
    const ports = await freePorts(count)
    const baseUrl = options.baseUrl ?? `http://localhost:${ports[0]}`
    const DATA_DIR = options.dataDir ?? path.join(await freshFolder(), 'data')
    const instances: Instance[] = []
    // Sequentially: the first instance creates the tables and the key file.
    for (const [at, PORT] of ports.entries()) {
      const database = databases[at] ?? databases[0]
      const settings = {
        ...TRUST_LOCAL_PROXY,
        DATA_DIR,
        PORT,
        BASE_URL: baseUrl,
        ...(database === undefined ? {} : { DATABASE_URL: database }),
        ...options.settings,
      }
      instances.push(await Instance.start(t, settings, launch, seen))
    }
    const database: StorageOptions['database'] =
      engine === 'sqlite'
        ? { engine, file: path.join(DATA_DIR, SQLITE_FILE) }
        : { engine, url: databases.at(-1) ?? fail('PostgreSQL needs an address') }
    return new Cluster(engine, baseUrl, instances, database, seen)
  }

  get first(): Instance {
    return this.instances[0] ?? fail('there is no instance')
  }

  /** A random running instance, as a load balancer would choose. */
  any(): Instance {
    const running = this.instances.filter(({ alive }) => alive)
    return running[Math.floor(Math.random() * running.length)] ?? this.first
  }

  /** A browser whose requests to the cluster's URL each go to a random running instance. */
  browser(
    headers: Readonly<Record<string, string>> = {},
    origins: readonly string[] = [],
  ): Browser {
    const { baseUrl } = this
    const transport: Transport = (url, init) => {
      const { agent, transport } = this.any()
      if (url.origin !== baseUrl) {
        return this.first.transport(url, init)
      }
      return transport(new URL(url.pathname + url.search, agent.baseUrl), init)
    }
    return new Browser({
      origins: [baseUrl, ...origins],
      headers: { 'X-Forwarded-For': randomAddress(), ...headers },
      transport,
    })
  }

  async ready(withinMs = timeBound(5_000)): Promise<number> {
    const began = performance.now()
    for (const { agent } of this.instances) {
      for (;;) {
        const response = await agent.call('GET', '/readyz').catch(() => null)
        if (response?.status === 200) {
          break
        }
        if (performance.now() - began > withinMs) {
          throw new Error(
            `not ready ${withinMs} ms after the fault: ${response?.text ?? 'no response'}`,
          )
        }
        await sleep(20)
      }
    }
    return performance.now() - began
  }

  get log(): string {
    return this.instances.map(({ log }) => log).join('')
  }
}

/** A random address per browser, because the limits per client address and minute are low. */
const randomAddress = (): string => `10.${random(256)}.${random(256)}.${random(256)}`

const random = (below: number): number => Math.floor(Math.random() * below)

async function freePorts(count: number): Promise<string[]> {
  const ports = new Set<string>()
  while (ports.size < count) {
    ports.add(String(await freePort()))
  }
  return [...ports]
}

function fail(message: string): never {
  throw new Error(message)
}
