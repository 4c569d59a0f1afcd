import type { Bench } from '../bench.ts'
import type { ContenderName } from '../options.ts'
import { echoEntry } from './echo-entry.ts'
import type { Entry } from './entry.ts'
import { refreshEntry } from './gatehouse/refresh-entry.ts'
import { peerEntry } from './peer-entries.ts'

export const REFRESH = 'refresh with rotation'

const common = { kind: 'refresh', work: REFRESH, durability: 'memory' } as const

/** Who rotates refresh tokens. better-auth has none to rotate, and Express + jsonwebtoken is only a check. */
export const REFRESHERS: Partial<Record<ContenderName, (bench: Bench) => Promise<Entry>>> = {
  echo: (bench) => echoEntry(bench, REFRESH),
  gatehouse: (bench) => refreshEntry(bench, { work: REFRESH }),
  'oidc-provider': (bench) => peerEntry(bench, { ...common, peer: 'oidc-provider', contender: 'oidc-provider' }),
  openauth: (bench) => peerEntry(bench, { ...common, peer: 'openauth', contender: 'OpenAuth' }),
}
