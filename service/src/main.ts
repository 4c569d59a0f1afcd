import { type App, openApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { KeyProblem } from './keys.ts'
import { serviceLog, standardOutput } from './log.ts'

const SWEEP_EVERY_MS = 60_000

/** Settings → databases → app → listen; drains on SIGTERM. */
export async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const read = readConfig(env)
  if (!read.ok)
    return giveUp(['Gatehouse cannot start. Please fix:', ...read.problems.map((problem) => `  - ${problem}`)])
  const { config } = read
  const log = serviceLog(standardOutput())

  let app: App
  try {
    app = await openApp({ config, log })
    await listening(app, config)
  } catch (error) {
    return giveUp([`Gatehouse cannot start: ${reason(error, config)}`])
  }

  const sweeping = setInterval(() => {
    app.sweep().catch((error: unknown) => log.error('a round of sweeping failed; the next one goes on', error))
  }, SWEEP_EVERY_MS)

  let stopping = false
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

  process.stdout.write(whereToGoNext(config))
}

function listening({ server }: App, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function giveUp(lines: readonly string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(1)
}

function reason(error: unknown, config: Config): string {
  if (error instanceof KeyProblem) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `port ${config.port} is taken. Stop what uses it, or set PORT to another.`
  return message
}

const whereToGoNext = ({ baseUrl, google, databaseUrl, dataDir }: Config): string => `
Gatehouse is at ${baseUrl}
  data       ${databaseUrl === null ? `SQLite in ${dataDir}` : 'PostgreSQL'}
  sign-in    ${google === null ? 'development Google (choose who to be; set GOOGLE_CLIENT_ID for the real one)' : google.issuer}

Next: open ${baseUrl} in a browser, or let an agent begin:
  1. POST ${baseUrl}/api/genesis                        → a tenant and its keys
  2. POST ${baseUrl}/api/resources/social-login         → register where people return to, get the login link
  3. open the login link

`
