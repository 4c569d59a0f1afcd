import path from 'node:path'
import type { Bench } from '../bench.ts'
import { startDriver } from '../load/start-driver.ts'
import type { ContenderName } from '../options.ts'
import { type Peer, type PeerName, type PeerOptions, startPeer } from '../peers/start-peer.ts'
import { echoSetup } from './echo-setup.ts'
import { verifySetups as ourSetups, refreshSetup } from './gatehouse/setups.ts'
import { glewlwydSetups } from './glewlwyd/setup.ts'
import type { Setup } from './setup.ts'

export const LIVE = 'verify, 10,000 live tokens'
export const FRESH = 'verify, tokens never seen before'

const kind = 'verify'
const workload = LIVE

/** Contenders that verify tokens. No peer caches verified tokens, so to them every token is new. */
export const VERIFY_SETUPS: Record<ContenderName, (bench: Bench) => Promise<Setup[]>> = {
  echo: async (bench) => [await echoSetup(bench, workload)],
  gatehouse: (bench) => ourSetups(bench, { live: LIVE, fresh: FRESH }),
  glewlwyd: (bench) => glewlwydSetups(bench, kind, workload),
  express: async (bench) => [
    await peerSetup(bench, {
      peer: 'express',
      contender: 'Express + jsonwebtoken',
      durability: 'HS256',
      kind,
      workload,
    }),
  ],
  'oidc-provider': async (bench) => [
    await peerSetup(bench, {
      peer: 'oidc-provider',
      contender: 'oidc-provider introspection',
      durability: 'memory',
      kind,
      workload,
    }),
  ],
  openauth: async (bench) => [
    await peerSetup(bench, {
      peer: 'openauth',
      contender: 'OpenAuth client.verify',
      durability: 'ES256',
      kind,
      workload,
    }),
  ],
  'better-auth': async (bench) => {
    const common = { kind, workload } as const
    const database = {
      ...betterAuth(bench, false),
      contender: 'better-auth get-session',
      durability: 'SQLite',
    }
    const cookie = {
      ...betterAuth(bench, true),
      contender: 'better-auth get-session',
      durability: 'cookie cache',
    }
    return [
      await peerSetup(bench, { ...common, ...database }),
      await peerSetup(bench, { ...common, ...cookie }),
    ]
  },
}

export const REFRESH = 'refresh with rotation'

/** Each tenant has an endpoint. It must cost a refresh nothing: the history is the outbox (decision 52). */
export const refreshWithWebhooks = (bench: Bench): Promise<Setup> =>
  refreshSetup(bench, { workload: `${REFRESH}, a webhook in each tenant`, webhooks: true })

export const refreshOfBuild = (bench: Bench): Promise<Setup> =>
  refreshSetup(bench, { workload: REFRESH, build: 'production' })

const common = { kind: 'refresh', workload: REFRESH, durability: 'memory' } as const

/** Contenders that rotate refresh tokens. better-auth has no refresh tokens, and Express + jsonwebtoken only verifies. */
export const REFRESH_SETUPS: Partial<Record<ContenderName, (bench: Bench) => Promise<Setup[]>>> = {
  echo: async (bench) => [await echoSetup(bench, REFRESH)],
  gatehouse: async (bench) => [await refreshSetup(bench, { workload: REFRESH })],
  'oidc-provider': async (bench) => [
    await peerSetup(bench, { ...common, peer: 'oidc-provider', contender: 'oidc-provider' }),
  ],
  openauth: async (bench) => [
    await peerSetup(bench, { ...common, peer: 'openauth', contender: 'OpenAuth' }),
  ],
  glewlwyd: (bench) => glewlwydSetups(bench, 'refresh', REFRESH),
}

interface PeerSetup extends PeerOptions {
  readonly peer: PeerName
  readonly contender: string
  readonly workload: string
  readonly kind: 'verify' | 'refresh'
  readonly durability: string
}

const SESSIONS = 10_000

/** A peer with its sessions, prepared for one kind of request. */
async function peerSetup(bench: Bench, options: PeerSetup): Promise<Setup> {
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
  if (data === undefined) {
    throw new Error(`the peer has no ${kind} workload`)
  }
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
    env: {
      DATABASE_FILE: path.join(bench.folder, `${name}.sqlite`),
      COOKIE_CACHE: cookieCache ? '1' : '0',
    },
  }
}
