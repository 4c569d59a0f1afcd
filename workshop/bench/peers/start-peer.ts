import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../service/test/support/transport/free-port.ts'
import type { Bench } from '../bench.ts'
import type { RefreshData } from '../load/workloads/refresh.ts'
import type { Exchange } from '../load/workloads/replay.ts'
import { type Program, startProgram } from '../processes/program.ts'
import type { Cores } from '../processes/usage.ts'

const execute = promisify(execFile)

const SIGNING_KEY = JSON.stringify(
  generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' }),
)

export type PeerName =
  | 'better-auth'
  | 'oidc-provider'
  | 'openauth'
  | 'express'
  | 'identity-provider'

export interface PeerOptions {
  /** Distinguishes two processes of the same peer. */
  readonly name?: string
  readonly sessions?: number
  readonly env?: Readonly<Record<string, string>>
  /** A program that populates the database before the start, with the same settings. */
  readonly populate?: string
  readonly cores?: Cores
  readonly port?: number
}

export interface Peer extends Program {
  /** The workloads that the peer supports. */
  readonly workloads: { readonly verify?: readonly Exchange[]; readonly refresh?: RefreshData }
}

/** Starts a peer in a separate process. */
export async function startPeer(
  bench: Bench,
  peer: PeerName,
  options: PeerOptions = {},
): Promise<Peer> {
  const {
    name = peer,
    sessions = 0,
    cores = bench.placement.contender,
    port = await freePort(),
  } = options
  const workloadFile = path.join(bench.folder, `${name}-${port}.workloads.json`)
  const env = {
    PORT: String(port),
    NODE_ENV: 'production',
    SESSIONS: String(sessions),
    WORKLOAD_FILE: workloadFile,
    SIGNING_KEY,
    ...options.env,
  }
  if (options.populate !== undefined) {
    await execute(process.execPath, [fileOf(options.populate)], {
      env: { PATH: process.env.PATH ?? '', ...env },
    })
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
  const workloads = sessions > 0 ? readFileSync(workloadFile, 'utf8') : '{}'
  return { ...program, workloads: JSON.parse(workloads) as Peer['workloads'] }
}

const fileOf = (program: string): string => path.join(import.meta.dirname, `${program}.js`)
