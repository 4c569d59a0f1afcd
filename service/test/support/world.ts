import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { TestContext } from 'node:test'
import type { App } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { TestNetwork } from '../../src/identity/public-https.ts'
import { serviceLog } from '../../src/log.ts'
import type { StorageTiming } from '../../src/storage/timing.ts'
import { Agent } from './actors/agent.ts'
import { Browser } from './actors/browser.ts'
import { Clock } from './clock.ts'
import { databaseFor, type Engine, PATIENT_TIMING } from './postgres/engines.ts'
import { ENTRY_POINTS } from './process/entry-points.ts'
import { overHttp, overMemory, type Transport } from './transport/http-transport.ts'
import { inProcessTransport } from './transport/in-process-transport.ts'
import { Secrets } from './transport/secrets.ts'

const { openApp } = (await import(ENTRY_POINTS.app)) as typeof import('../../src/app.ts')

/** In the address of a service that opens no port. No program listens on it, and `fetch` refuses it. */
const UNUSED_PORT = 1

export interface WorldOptions {
  readonly engine?: Engine
  /** Environment variables on top of the defaults. */
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** Uses the database and keys of another world: a restart if that one has stopped, otherwise a second instance. */
  readonly like?: World
  /** Uses the system clock, for tests of readiness and sweeping. */
  readonly realTime?: boolean
  /** Connects public names to local servers. */
  readonly network?: TestNetwork
  /** Deadlines of the storage; by default only a hang exceeds them. `{}`: those of the service, for tests of outages. */
  readonly timing?: Partial<StorageTiming>
  /**
   * How agents and browsers reach the service. `memory` (the default) opens no port. `port`: other programs and sockets
   * reach it, too. `fetch`: through `app.fetch`, without the HTTP server.
   */
  readonly through?: 'memory' | 'port' | 'fetch'
}

/**
 * The running service of a test: a real database, a manual clock (unless `realTime`), and every line that it
 * logged.
 */
export interface World {
  readonly app: App
  readonly config: Config
  readonly env: Readonly<Record<string, string>>
  readonly engine: Engine
  readonly baseUrl: string
  readonly clock: Clock
  readonly logLines: string[]
  readonly secrets: Secrets
  readonly agent: Agent
  /** A new browser without cookies. */
  browser(headers?: Readonly<Record<string, string>>): Browser
  /** Stops the service before the end of the test, as SIGTERM would. */
  stop(): Promise<void>
  stopped(): boolean
}

/** Starts the service for one test and stops it afterwards. Every secret that a response carried must be absent from the log. */
export async function world(t: TestContext, options: WorldOptions = {}): Promise<World> {
  const engine = options.engine ?? options.like?.engine ?? 'sqlite'
  const { like } = options
  const { through = 'memory' } = options
  const restartedOn = like?.stopped() ? like.config.port : 0
  const listener = through === 'port' ? await listenOn(restartedOn) : null
  const port = listener === null ? UNUSED_PORT : (listener.address() as AddressInfo).port
  const database =
    like === undefined ? await databaseFor(t, engine) : { ...like.env, BASE_URL: like.baseUrl }
  const env = { ...database, PORT: String(port), ...options.env }
  const read = readConfig(env)
  assert.ok(read.ok, read.ok ? '' : read.problems.join('\n'))
  const { config } = read

  const clock = options.clock ?? like?.clock ?? new Clock()
  const secrets = like?.secrets ?? new Secrets()
  const logLines: string[] = like?.logLines ?? []
  const log = serviceLog({ write: (line) => void logLines.push(line) })
  const { network = {} } = options
  const { timing = PATIENT_TIMING } = options
  const app = await openApp({
    config,
    log,
    network,
    timing,
    ...(options.realTime ? {} : { now: clock.now }),
  })
  if (listener !== null) {
    app.server.listen(listener)
    await once(app.server, 'listening')
  }

  const address = `http://localhost:${port}`
  const transports: Record<typeof through, Transport> = {
    memory: overMemory(app.server),
    port: overHttp,
    fetch: inProcessTransport(app),
  }
  const transport = secrets.collecting(transports[through])
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= app.close()
    return stopped
  }
  t.after(async () => {
    const ended = stop()
    // The test is over: no client needs the time that idle connections get.
    app.server.closeIdleConnections()
    await ended
    secrets.assertAbsentFrom(logLines)
  })
  return {
    app,
    config,
    env,
    engine,
    baseUrl: config.baseUrl,
    clock,
    logLines,
    secrets,
    agent: new Agent(address, transport, clock),
    browser: (headers = {}) =>
      new Browser({ origins: [config.baseUrl, address], headers, transport }),
    stop,
    stopped: () => stopped !== undefined,
  }
}

/** Binds a port, 0 for any free one. The service needs its address before it can listen, and takes over this server's port. */
async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
