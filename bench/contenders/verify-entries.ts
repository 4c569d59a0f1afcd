import type { Bench } from '../bench.ts'
import type { ContenderName } from '../options.ts'
import { echoEntry } from './echo-entry.ts'
import type { Entry } from './entry.ts'
import { verifyEntries as ourEntries } from './gatehouse/verify-entries.ts'
import { betterAuth, peerEntry } from './peer-entries.ts'

export const LIVE = 'verify, 10,000 live tokens'
export const FRESH = 'verify, tokens never seen before'

const kind = 'verify'
const work = LIVE

/** Who can tell whose token it is, and how. Of the peers none remembers a token, so to them each is a new one. */
export const VERIFY: Record<ContenderName, (bench: Bench) => Promise<Entry[]>> = {
  echo: async (bench) => [await echoEntry(bench, work)],
  gatehouse: (bench) => ourEntries(bench, { live: LIVE, fresh: FRESH }),
  express: async (bench) => [
    await peerEntry(bench, { peer: 'express', contender: 'Express + jsonwebtoken', durability: 'HS256', kind, work }),
  ],
  'oidc-provider': async (bench) => [
    await peerEntry(bench, {
      peer: 'oidc-provider',
      contender: 'oidc-provider introspection',
      durability: 'memory',
      kind,
      work,
    }),
  ],
  openauth: async (bench) => [
    await peerEntry(bench, { peer: 'openauth', contender: 'OpenAuth client.verify', durability: 'ES256', kind, work }),
  ],
  'better-auth': async (bench) => {
    const common = { kind, work } as const
    const database = { ...betterAuth(bench, false), contender: 'better-auth get-session', durability: 'SQLite' }
    const cookie = { ...betterAuth(bench, true), contender: 'better-auth get-session', durability: 'cookie cache' }
    return [await peerEntry(bench, { ...common, ...database }), await peerEntry(bench, { ...common, ...cookie })]
  },
}
