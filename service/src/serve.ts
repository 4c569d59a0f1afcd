import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type App, openApp } from './app.ts'
import type { Config } from './config.ts'
import { Unavailable } from './domain/api-error.ts'
import { localTools } from './http/pages/package-commands.ts'
import { KeyProblem } from './keys.ts'
import { exitWith, type ServiceLog } from './log.ts'
import { missingOperatorSettings } from './operator.ts'
import { databaseErrorOf, UnusableDatabase } from './storage/database-errors.ts'
import { MissingDatabase, SQLITE_FILE } from './storage/database-location.ts'
import { UnusableSchema } from './storage/migrate.ts'
import { ConnectError } from './storage/postgres/connection/hosts.ts'
import { DatabaseMoved, MoveInProgress } from './storage/postgres/service-lock.ts'
import { describeFileError } from './storage/sqlite/file-errors.ts'
import { UnservedTenants } from './storage/unserved-tenants.ts'
import { isFirstWorker, isWorker, reportReady, workerNumber, workersClosed } from './workers.ts'

const SWEEP_EVERY_MS = 60_000
/** The queue of connections waiting for accept(2). When Node's default of 511 is full, clients lose seconds to SYN retries. */
const BACKLOG = 4_096

/** Opens the app and listens; drains on SIGTERM. */
export async function serve(
  config: Config,
  log: ServiceLog,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  // At once, before a response that depends on it. Only the next start reads again what is on the disk.
  const mustExit = (reason: string, error: unknown): void => {
    log.error(reason, error)
    process.exit(1)
  }
  const open = () =>
    openApp({
      config,
      log,
      mustExit,
      worker: workerNumber(env),
      ...(isWorker(env) ? { workersClosed } : {}),
    })
  const app = await openOrExit(open, config, log)

  // An exception in one listener or timer must not end the process for all users.
  process.on('uncaughtException', app.uncaught)
  process.on('unhandledRejection', app.uncaught)

  let stopping = false
  const sweepOnce = (): void => {
    app.sweep().catch((error: unknown) => {
      if (!stopping) {
        log.error('sweeping expired rows failed; trying again in a minute', error)
      }
    })
  }
  const sweepTimer = setInterval(sweepOnce, SWEEP_EVERY_MS)

  const stop = async (reason: string): Promise<void> => {
    if (stopping) {
      return
    }
    stopping = true
    const { stopAfterMs } = config
    if (stopAfterMs > 0) {
      log.info(`${reason}: not ready; serving for another ${stopAfterMs / 1_000} s`)
    } else {
      log.info(`${reason}: finishing open requests`)
    }
    clearInterval(sweepTimer)
    await listening
    await app.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
  // Without its supervisor a worker would keep the port and receive no signal.
  process.on('disconnect', () => void stop('the supervisor exited'))

  // After the signals: without a handler, a signal would reset the connections that the kernel has already established.
  const listening = listenOrExit(app, config)
  await listening
  // Finishes at once a deletion that a kill interrupted.
  sweepOnce()
  app.startDelivering()

  warnOfSettings(config, log, isFirstWorker(env))
  if (isFirstWorker(env)) {
    process.stdout.write(startMessage(config))
  }
  reportReady()
}

function warnOfSettings(config: Config, log: ServiceLog, isFirst: boolean): void {
  if (config.exposedDevelopmentSignIn) {
    log.warn('ALLOW_DEVELOPMENT_SIGN_IN=1: anyone who can reach this service can sign in as anyone')
  }
  if (isFirst) {
    for (const warning of missingOperatorSettings(config.baseUrl, config.operator)) {
      log.warn(warning)
    }
  }
  if (config.unlimited) {
    log.warn('DEV_UNLIMITED=1: events are counted, but no limit rejects them')
  }
}

const failStart = (reason: string): never => exitWith([`Gatehouse cannot start: ${reason}`])

async function openOrExit(open: () => Promise<App>, config: Config, log: ServiceLog): Promise<App> {
  try {
    return await whenReachable(open, config.startWaitSeconds * 1_000, log)
  } catch (error) {
    return failStart(describeOpenError(error, config))
  }
}

async function listenOrExit(app: App, config: Config): Promise<void> {
  try {
    await listen(app, config)
  } catch (error) {
    failStart(describeListenError(error, config))
  }
}

const START_RETRY_MS = 1_000

/** Repeats `open` while PostgreSQL is out of reach or has no primary: a failover takes half a minute. */
async function whenReachable(
  open: () => Promise<App>,
  waitMs: number,
  log: ServiceLog,
): Promise<App> {
  const began = performance.now()
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() - began > waitMs) {
        throw error
      }
      log.warn('the database cannot be used yet; trying again', error)
    }
    await sleep(START_RETRY_MS)
  }
}

function listen({ server }: App, { port, host, workers }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, reusePort: workers > 1, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** The reason and, for known causes, the fix. */
function describeOpenError(error: unknown, { databaseUrl, dataDir }: Config): string {
  if (REASONS.some((reason) => error instanceof reason)) {
    return (error as Error).message
  }
  if (error instanceof UnusableDatabase) {
    return `PostgreSQL cannot be used: ${error.message}`
  }
  if (error instanceof ConnectError) {
    return `PostgreSQL cannot be used (${error.message}). See that it runs, and that DATABASE_URL is right.`
  }
  const file = describeFileError(error, path.join(dataDir, SQLITE_FILE))
  if (file !== null) {
    return file
  }
  const { code = '', message } = databaseErrorOf(error) as NodeJS.ErrnoException
  const reason = message || code
  if (databaseUrl === null) {
    return reason
  }
  if (error instanceof Unavailable || WRONG_URL_SQLSTATES.test(code)) {
    return `PostgreSQL cannot be used (${reason}). See that it runs, and that DATABASE_URL is right.`
  }
  if (code === INSUFFICIENT_PRIVILEGE) {
    return `PostgreSQL refused a statement (${reason}). Give the role of DATABASE_URL this right, or name the role that owns the tables. Nothing was changed.`
  }
  if (SQLSTATE.test(code)) {
    return `a statement failed in PostgreSQL (${reason}), and what it would have changed was not stored. If another program has changed the tables, restore the newest backup (docs/operating.md); otherwise report this message.`
  }
  return reason
}

const SQLSTATE = /^[0-9A-Z]{5}$/
/** A wrong password or role, an unknown database or schema. */
const WRONG_URL_SQLSTATES = /^(?:28...|3D000|3F000)$/
const INSUFFICIENT_PRIVILEGE = '42501'

/** Their messages name the reason and the fix. */
const REASONS = [
  KeyProblem,
  UnservedTenants,
  UnusableSchema,
  MissingDatabase,
  DatabaseMoved,
  MoveInProgress,
]

function describeListenError(error: unknown, { host, port }: Config): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is taken. Stop what uses it, or set PORT to another.`
    case 'EACCES':
      return `this user may not listen on port ${port}. Set PORT to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${host}. Set HOST to one that it has, or leave it unset.`
    default:
      return message
  }
}

function startMessage({ baseUrl, google, databaseUrl, dataDir }: Config): string {
  const data = databaseUrl === null ? `SQLite in ${dataDir}` : 'PostgreSQL'
  const signIn =
    google === null
      ? 'development Google with sample users (set GOOGLE_CLIENT_ID for the real one)'
      : google.issuer
  return `
Gatehouse is at ${baseUrl}
  data       ${data}
  sign-in    ${signIn}

Next: open ${baseUrl} in a browser, or use the API:
  1. POST ${baseUrl}/api/genesis                        → create a tenant, get its keys
  2. POST ${baseUrl}/api/resources/social-login         → register your callback URLs, get the login link
  3. Open the login link.

To try it first, use the button on ${baseUrl}. For an app with sign-in, run in an empty folder:
  ${localTools(baseUrl)} init --framework node

`
}
