import path from 'node:path'
import type { Bench } from '../bench.ts'
import { startDriver } from '../load/start-driver.ts'
import { type Peer, type PeerName, type PeerOptions, startPeer } from '../peers/start-peer.ts'
import type { Entry } from './entry.ts'

export interface PeerEntry extends PeerOptions {
  readonly peer: PeerName
  readonly contender: string
  readonly work: string
  readonly kind: 'verify' | 'refresh'
  readonly durability: string
}

const SESSIONS = 10_000

/** A peer with its sessions, ready to be asked one thing. */
export async function peerEntry(bench: Bench, entry: PeerEntry): Promise<Entry> {
  const { peer, contender, work, kind, durability } = entry
  bench.say(`filling ${contender} with ${SESSIONS} sessions`)
  const program = await startPeer(bench, peer, { ...entry, sessions: SESSIONS })
  const driver = await startDriver({
    work: kind === 'verify' ? 'replay' : 'refresh',
    data: dataFor(kind, program),
    file: path.join(bench.folder, `${contender}-${kind}.json`),
    port: program.port,
    cores: bench.placement.load,
  })
  return { contender, work, durability, pids: () => [program.pid], driver, programs: [program] }
}

function dataFor(kind: PeerEntry['kind'], { works }: Peer): unknown {
  const data = works[kind]
  if (data === undefined) throw new Error(`it offers no ${kind}`)
  return data
}

/** better-auth keeps its sessions in a database, which a program of its own fills. */
export const betterAuth = (
  bench: Bench,
  cookieCache: boolean,
): Pick<PeerEntry, 'peer' | 'name' | 'populate' | 'env'> => {
  const name = cookieCache ? 'better-auth-cookie-cache' : 'better-auth'
  return {
    peer: 'better-auth',
    name,
    populate: 'better-auth-populate',
    env: { DATABASE_FILE: path.join(bench.folder, `${name}.sqlite`), COOKIE_CACHE: cookieCache ? '1' : '0' },
  }
}
