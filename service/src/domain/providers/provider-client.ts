import type { ProviderName, ProviderStatus } from '@gatehouse/contract'
import type { ProviderClientId, TenantId } from '../ids.ts'
import { ATTEMPT_LIFETIME_MS } from '../login/attempt.ts'
import type { Duration, Instant } from '../time.ts'
import { randomBase62 } from '../tokens/base62.ts'
import type { RandomBytes } from '../tokens/uniform.ts'

// For storage and identity, which import the domain.
export { isProviderName, type ProviderName, type ProviderStatus, providerKind } from '@gatehouse/contract'

/** Both parts, because every query names the tenant. */
export interface ProviderClientRef {
  readonly tenantId: TenantId
  readonly id: ProviderClientId
}

/**
 * A client with which users of one app sign in at a provider. It never changes but for its status: a login ends with the
 * client that it began with, also if the owner replaces it meanwhile.
 */
export interface ProviderClient extends ProviderClientRef {
  readonly provider: ProviderName
  /** `shared`: the operator's client. Then the next four fields are null. */
  readonly mode: 'shared' | 'own'
  readonly clientId: string | null
  /** Of an OpenID provider that the owner chose. */
  readonly issuer: string | null
  readonly displayName: string | null
  /** The credentials (sealed-credentials.ts). */
  readonly sealed: Uint8Array | null
  readonly redirectUri: string
  readonly status: ProviderStatus
  readonly createdAt: Instant
  /** The last successful test sign-in of the owner. */
  readonly testedAt: Instant | null
  /** Replaced or removed. Logins that began with it may still end. */
  readonly retiredAt: Instant | null
}

/** A retired client is kept as long as a login that began with it. */
export const RETIRED_KEPT_MS: Duration = ATTEMPT_LIFETIME_MS

const ID_CHARACTERS = 16

export const newProviderClientId = (random: RandomBytes): ProviderClientId =>
  `pc_${randomBase62(ID_CHARACTERS, random)}`

/** Anything else is no id, and reaches no query. */
export const isProviderClientId = (text: string): boolean => /^pc_[0-9A-Za-z]{16}$/.test(text)

/** The client that logins use. A failing one is used, too: falling back to another would hide that its secret is wrong. */
export const clientInUse = (clients: readonly ProviderClient[], provider: ProviderName): ProviderClient | null =>
  clients.find((client) => client.provider === provider && client.status !== 'pending') ?? null

/** The client that the owner set last: one that waits for its test sign-in, or the one in use. */
export const newestClient = (clients: readonly ProviderClient[], provider: ProviderName): ProviderClient | null =>
  clients.find((client) => client.provider === provider && client.status === 'pending') ??
  clientInUse(clients, provider)
