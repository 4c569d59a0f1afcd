import { type App, openApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { Unavailable } from './domain/unavailable.ts'
import { KeyProblem } from './keys.ts'
import { type ServiceLog, serviceLog, standardOutput } from './log.ts'
import { HiddenTenants } from './storage/hidden-tenants.ts'
import { isFirst, isWorker, sayReady, superviseWorkers, workerNumber } from './workers.ts'

const SWEEP_EVERY_MS = 60_000
/** Connections that came and wait to be let in. Beyond Node's own 511 the system drops them, and each loses seconds. */
const BACKLOG = 4_096

/** Settings → one process, or several that share the port. */
export async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const read = readConfig(env)
  if (!read.ok)
    return giveUp(['Gatehouse cannot start. Please fix:', ...read.problems.map((problem) => `  - ${problem}`)])
  const { config } = read
  const log = serviceLog(standardOutput())
  if (config.workers === 1 || isWorker(env)) return serve(config, log, env)
  await superviseWorkers(config.workers, env, log)
}

/** Database → app → listen; drains on SIGTERM. */
async function serve(config: Config, log: ServiceLog, env: NodeJS.ProcessEnv): Promise<void> {
  const cannot = (why: string): never => giveUp([`Gatehouse cannot start: ${why}`])
  // At once, before any answer that waits for this commit: a supervisor starts us again, and only then is it known
  // what the disk has kept.
  const lostWrite = (error: unknown): void => {
    log.error('the disk could not keep what was written; ending, so that a fresh start finds out what it has', error)
    process.exit(1)
  }
  const app = await openApp({ config, log, lostWrite, worker: workerNumber(env) }).catch((error: unknown) =>
    cannot(whyNotOpen(error, config)),
  )
  await listening(app, config).catch((error: unknown) => cannot(whyNotListening(error, config)))

  // A mistake in one listener or timer must not take everybody's sign-in down with it.
  process.on('uncaughtException', app.uncaught)
  process.on('unhandledRejection', app.uncaught)

  let stopping = false
  const sweepOnce = (): void => {
    app.sweep().catch((error: unknown) => {
      if (!stopping) log.error('a round of sweeping failed; the next one goes on', error)
    })
  }
  const sweeping = setInterval(sweepOnce, SWEEP_EVERY_MS)
  // A deletion that a kill cut short is finished now, not in a minute.
  sweepOnce()

  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info(`${signal}: finishing what runs`)
    clearInterval(sweeping)
    await app.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
  // A worker whose supervisor was killed would hold the port for ever, and nobody could tell it to stop.
  process.on('disconnect', () => void stop('the supervisor is gone'))

  if (isFirst(env)) process.stdout.write(whereToGoNext(config))
  sayReady()
}

function listening({ server }: App, { port, host, workers }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, reusePort: workers > 1, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function giveUp(lines: readonly string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(1)
}

/** What the operator can do about it, where we know. */
function whyNotOpen(error: unknown, { databaseUrl, dataDir }: Config): string {
  if (error instanceof KeyProblem || error instanceof HiddenTenants) return error.message
  const { code = '', message, path, errcode } = (error instanceof Unavailable ? error.cause : error) as StartError
  const what = message || code
  if (path !== undefined || errcode !== undefined) {
    return `the folder ${dataDir} cannot be used (${what}). Let this user write to it, or set DATA_DIR to another.`
  }
  // What is out of reach, or a five-letter SQLSTATE: a wrong password, a database that does not exist.
  if (databaseUrl !== null && (error instanceof Unavailable || /^[0-9A-Z]{5}$/.test(code))) {
    return `PostgreSQL cannot be used (${what}). See that it runs, and that DATABASE_URL is right.`
  }
  return what
}

/** `path`: from the file system. `errcode`: from SQLite. */
type StartError = NodeJS.ErrnoException & { readonly errcode?: number }

function whyNotListening(error: unknown, { host, port }: Config): string {
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

const whereToGoNext = ({ baseUrl, google, databaseUrl, dataDir }: Config): string => `
Gatehouse is at ${baseUrl}
  data       ${databaseUrl === null ? `SQLite in ${dataDir}` : 'PostgreSQL'}
  sign-in    ${google === null ? 'development Google (choose who to be; set GOOGLE_CLIENT_ID for the real one)' : google.issuer}

Next: open ${baseUrl} in a browser, or let an agent begin:
  1. POST ${baseUrl}/api/genesis                        → a tenant and its keys
  2. POST ${baseUrl}/api/resources/social-login         → register where people return to, get the login link
  3. open the login link

Or try it first: the button on ${baseUrl} signs you in at once, and npm run demo starts an app to sign in to.

`
