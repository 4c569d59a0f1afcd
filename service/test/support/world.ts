import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import type { App } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { TestNetwork } from '../../src/identity/public-https.ts'
import { serviceLog } from '../../src/log.ts'
import { Agent } from './actors/agent.ts'
import { Browser } from './actors/browser.ts'
import { Clock } from './clock.ts'
import { databaseFor, type Engine } from './postgres/engines.ts'
import { ENTRY_POINTS } from './process/entry-points.ts'
import { freePort } from './transport/free-port.ts'
import { overHttp } from './transport/http-transport.ts'
import { inProcessTransport } from './transport/in-process-transport.ts'
import { Secrets } from './transport/secrets.ts'

const { openApp } = (await import(ENTRY_POINTS.app)) as typeof import('../../src/app.ts')

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
  /** Opens no port: agents and browsers call `app.fetch` directly. */
  readonly inProcess?: boolean
}

/**
 * The running service of a test: a real database, a listening port (unless `inProcess`), a manual clock (unless
 * `realTime`), and every line that it logged.
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
  const port = like?.stopped() ? like.config.port : await freePort()
  const database = like === undefined ? await databaseFor(t, engine) : { ...like.env, BASE_URL: like.baseUrl }
  const env = { ...database, PORT: String(port), ...options.env }
  const read = readConfig(env)
  assert.ok(read.ok, read.ok ? '' : read.problems.join('\n'))
  const { config } = read

  const clock = options.clock ?? like?.clock ?? new Clock()
  const secrets = like?.secrets ?? new Secrets()
  const logLines: string[] = like?.logLines ?? []
  const log = serviceLog({ write: (line) => void logLines.push(line) })
  const { network = {} } = options
  const app = await openApp({ config, log, network, ...(options.realTime ? {} : { now: clock.now }) })
  const { inProcess = false } = options
  if (!inProcess) {
    app.server.listen(port, '127.0.0.1')
    await once(app.server, 'listening')
  }

  const address = `http://localhost:${port}`
  const transport = secrets.collecting(inProcess ? inProcessTransport(app) : overHttp)
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
    browser: (headers = {}) => new Browser({ origins: [config.baseUrl, address], headers, transport }),
    stop,
    stopped: () => stopped !== undefined,
  }
}
