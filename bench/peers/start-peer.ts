import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import type { Bench } from '../bench.ts'
import type { RefreshData } from '../load/work/refresh.ts'
import type { Asked } from '../load/work/replay.ts'
import type { Cores } from '../processes/cores.ts'
import { type Program, startProgram } from '../processes/program.ts'

const execute = promisify(execFile)

const SIGNING_KEY = JSON.stringify(
  generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' }),
)

export type PeerName = 'better-auth' | 'oidc-provider' | 'openauth' | 'express' | 'identity-provider'

export interface PeerOptions {
  /** Tells two of the same kind apart. */
  readonly name?: string
  readonly sessions?: number
  readonly env?: Readonly<Record<string, string>>
  /** Run to its end before, with the same settings: what fills its database. */
  readonly populate?: string
  readonly cores?: Cores
  readonly port?: number
}

export interface Peer extends Program {
  /** What it says that it can be asked. */
  readonly works: { readonly verify?: readonly Asked[]; readonly refresh?: RefreshData }
}

/** Starts a peer as a process of its own. */
export async function startPeer(bench: Bench, peer: PeerName, options: PeerOptions = {}): Promise<Peer> {
  const { name = peer, sessions = 0, cores = bench.placement.contender, port = await freePort() } = options
  const workFile = path.join(bench.folder, `${name}-${port}.works.json`)
  const env = {
    PORT: String(port),
    NODE_ENV: 'production',
    SESSIONS: String(sessions),
    WORK_FILE: workFile,
    SIGNING_KEY,
    ...options.env,
  }
  if (options.populate !== undefined) {
    await execute(process.execPath, [fileOf(options.populate)], { env: { PATH: process.env.PATH ?? '', ...env } })
  }
  const program = await startProgram({
    name,
    args: [fileOf(peer)],
    env,
    cores,
    readerCores: bench.placement.load,
    folder: bench.folder,
    port,
    readyPath: '/',
  })
  const offers = sessions > 0 ? readFileSync(workFile, 'utf8') : '{}'
  return { ...program, works: JSON.parse(offers) as Peer['works'] }
}

const fileOf = (program: string): string => path.join(import.meta.dirname, `${program}.js`)
