import { spawn } from 'node:child_process'
import { chown, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../process/run.ts'
import { nativeFolder } from './pg-binaries.ts'

// PostgreSQL does not run as root, so root starts it as the user `nobody`.
const NOBODY_ID = 65534
const asRoot = process.getuid?.() === 0
const account = asRoot ? { uid: NOBODY_ID, gid: NOBODY_ID } : {}
const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C' }

/** Without fsync: test data need not survive a power failure, and waiting for the disk would dominate the run. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
]

/** A new folder for the data and sockets of servers. */
export async function serverFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-pg-'))
  await ownedByServer(folder)
  return folder
}

/** Gives a file to the user that the server runs as. */
export async function ownedByServer(file: string): Promise<void> {
  if (asRoot) {
    await chown(file, NOBODY_ID, NOBODY_ID)
  }
}

/** Runs a program as the user that the server runs as. */
export const runAsServer = (
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<string> => run(program, args, { ...account, cwd, env: environment })

/** `bin`: the programs of another version than that of the package. */
export async function initializeData(folder: string, data: string, bin?: string): Promise<void> {
  const options = [
    '-U',
    'postgres',
    '--auth=trust',
    '--no-sync',
    '--locale=C',
    '--encoding=UTF8',
    '--no-instructions',
  ]
  await runAsServer(join(bin ?? (await packagedBin()), 'initdb'), ['-D', data, ...options], folder)
}

const packagedBin = async (): Promise<string> => join(await nativeFolder(), 'bin')

interface ServerCommand {
  /** From `serverFolder`; deleted when the server stops, unless it keeps the data. */
  readonly folder: string
  readonly data: string
  readonly port: number
  /** `name=value`; override the defaults above. */
  readonly settings: readonly string[]
  readonly bin?: string
}

export interface Running {
  /** `command`: the signal, and `keep` to keep the data. */
  stop(command?: string): Promise<void>
}

/** Starts a server and waits until it accepts connections; a standby accepts read-only ones. */
export async function launch({
  folder,
  data,
  port,
  settings,
  bin,
}: ServerCommand): Promise<Running> {
  const options = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])
  const program = join(bin ?? (await packagedBin()), 'postgres')
  const server = [program, '-D', data, '-p', String(port), '-k', folder, ...options]
  // The shell stops PostgreSQL when its standard input closes, so the server cannot outlive a killed test run.
  const watched =
    '"$@" & pid=$!; read -r signal keep || signal=INT; kill -s $signal $pid; wait $pid; [ -n "$keep" ] || rm -rf "$PGBASE"'
  const child = spawn('/bin/sh', ['-c', watched, 'sh', ...server], {
    ...account,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...environment, PGBASE: folder },
  })
  const exited = new Promise<void>((done) => child.once('exit', () => done()))

  let log = ''
  await new Promise<void>((ready, failed) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-8_000)
      if (/ready to accept (?:read-only )?connections/.test(log)) {
        ready()
      }
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
