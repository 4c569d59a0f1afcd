import type { Bench } from '../bench.ts'
import type { ContenderName } from '../options.ts'
import { echoSetup } from './echo-setup.ts'
import { refreshSetup } from './gatehouse/refresh-setup.ts'
import { glewlwydSetups } from './glewlwyd/setup.ts'
import { peerSetup } from './peer-setup.ts'
import type { Setup } from './setup.ts'

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
  openauth: async (bench) => [await peerSetup(bench, { ...common, peer: 'openauth', contender: 'OpenAuth' })],
  glewlwyd: (bench) => glewlwydSetups(bench, 'refresh', REFRESH),
}
