import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { type App, openApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { serviceLog } from '../../src/log.ts'
import { Agent } from './actors/agent.ts'
import { Browser } from './actors/browser.ts'
import { Clock } from './clock.ts'
import { databaseFor, type Engine } from './postgres/engines.ts'
import { freePort } from './transport/free-port.ts'
import { overHttp } from './transport/http-transport.ts'
import { withinProcess } from './transport/in-process-transport.ts'
import { Secrets } from './transport/secrets.ts'

export interface WorldOptions {
  readonly engine?: Engine
  /** Settings on top of the defaults, as the operator would write them. */
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** On the database and keys of another world: its restart if that one has stopped, else a second instance beside it. */
  readonly like?: World
  /** Tests about the real clock (readiness, sweeping) leave it running. */
  readonly realTime?: boolean
  /** Nobody listens: agents, browsers and the service itself call its functions. */
  readonly inProcess?: boolean
}

/** The real service on a real database and, unless told otherwise, a real port, a clock you hold, and everything it wrote to its log. */
export interface World {
  readonly app: App
  readonly config: Config
  readonly env: Readonly<Record<string, string>>
  readonly engine: Engine
  readonly baseUrl: string
  readonly clock: Clock
  readonly logLines: string[]
  readonly secrets: Secrets
  /** Calls the API the way an agent does. */
  readonly agent: Agent
  /** A new browser that knows nobody. */
  browser(headers?: Readonly<Record<string, string>>): Browser
  /** Stops it early, as SIGTERM would. It is stopped at the end of the test anyway. */
  stop(): Promise<void>
  stopped(): boolean
}

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
  const app = await openApp({ config, log, ...(options.realTime ? {} : { now: clock.now }) })
  const { inProcess = false } = options
  if (!inProcess) {
    app.server.listen(port, '127.0.0.1')
    await once(app.server, 'listening')
  }

  const address = `http://localhost:${port}`
  const transport = secrets.listening(inProcess ? withinProcess(app) : overHttp)
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= app.close()
    return stopped
  }
  t.after(async () => {
    await stop()
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
