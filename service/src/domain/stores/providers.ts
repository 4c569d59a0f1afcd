/** The store of the clients of tenants at identity providers. */

import type { TenantId } from '../ids.ts'
import type {
  ProviderClient,
  ProviderClientRef,
  ProviderName,
  ProviderStatus,
} from '../providers/provider-client.ts'
import type { Instant } from '../time.ts'

/** The clients of tenants at identity providers. */
export interface ProviderClientStore {
  add(client: ProviderClient): Promise<void>
  /** Retired ones, too: a login may have begun with it. */
  find(ref: ProviderClientRef): Promise<ProviderClient | null>
  /** All that are not retired, the oldest first. At most two of each provider: one in use and one pending. */
  listCurrent(tenantId: TenantId): Promise<ProviderClient[]>
  /** As `listCurrent`. Concurrent changes of the tenant's providers wait until the transaction ends. */
  lockCurrent(tenantId: TenantId): Promise<ProviderClient[]>
  /** Retires what is current of this provider, or only what is pending; returns how many. */
  retire(
    tenantId: TenantId,
    provider: ProviderName,
    now: Instant,
    which?: 'pending',
  ): Promise<number>
  /** Unless it was retired or has another status meanwhile; then false. */
  setStatus(ref: ProviderClientRef, from: ProviderStatus, to: ProviderStatus): Promise<boolean>
  /** A successful test sign-in: active, and nothing else of this provider is in use. False if it was retired meanwhile. */
  activate(
    client: ProviderClientRef & Pick<ProviderClient, 'provider'>,
    now: Instant,
  ): Promise<boolean>
  removeByTenant(tenantId: TenantId): Promise<void>
  /** Deletes up to `limit` clients that were retired before this time and returns how many. */
  sweep(before: Instant, limit: number): Promise<number>
}
