import path from 'node:path'
import type { Bench } from '../bench.ts'
import { startDriver } from '../load/start-driver.ts'
import { type Peer, type PeerName, type PeerOptions, startPeer } from '../peers/start-peer.ts'
import type { Setup } from './setup.ts'

export interface PeerSetup extends PeerOptions {
  readonly peer: PeerName
  readonly contender: string
  readonly workload: string
  readonly kind: 'verify' | 'refresh'
  readonly durability: string
}

const SESSIONS = 10_000

/** A peer with its sessions, prepared for one kind of request. */
export async function peerSetup(bench: Bench, options: PeerSetup): Promise<Setup> {
  const { peer, contender, workload, kind, durability } = options
  bench.log(`creating ${SESSIONS} sessions in ${contender}`)
  const program = await startPeer(bench, peer, { ...options, sessions: SESSIONS })
  const driver = await startDriver({
    workload: kind === 'verify' ? 'replay' : 'refresh',
    data: dataFor(kind, program),
    file: path.join(bench.folder, `${contender}-${kind}.json`),
    port: program.port,
    cores: bench.placement.load,
  })
  return { contender, workload, durability, pids: () => [program.pid], driver, programs: [program] }
}

function dataFor(kind: PeerSetup['kind'], { workloads }: Peer): unknown {
  const data = workloads[kind]
  if (data === undefined) throw new Error(`the peer has no ${kind} workload`)
  return data
}

/** better-auth stores its sessions in a database, which a separate program populates. */
export const betterAuth = (
  bench: Bench,
  cookieCache: boolean,
): Pick<PeerSetup, 'peer' | 'name' | 'populate' | 'env'> => {
  const name = cookieCache ? 'better-auth-cookie-cache' : 'better-auth'
  return {
    peer: 'better-auth',
    name,
    populate: 'better-auth-populate',
    env: { DATABASE_FILE: path.join(bench.folder, `${name}.sqlite`), COOKIE_CACHE: cookieCache ? '1' : '0' },
  }
}
