import type { Bench } from '../bench.ts'
import type { ContenderName } from '../options.ts'
import { echoSetup } from './echo-setup.ts'
import { verifySetups as ourSetups } from './gatehouse/verify-setups.ts'
import { glewlwydSetups } from './glewlwyd/setup.ts'
import { betterAuth, peerSetup } from './peer-setup.ts'
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
    const database = { ...betterAuth(bench, false), contender: 'better-auth get-session', durability: 'SQLite' }
    const cookie = { ...betterAuth(bench, true), contender: 'better-auth get-session', durability: 'cookie cache' }
    return [await peerSetup(bench, { ...common, ...database }), await peerSetup(bench, { ...common, ...cookie })]
  },
}
