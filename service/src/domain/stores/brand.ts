/** The stores of domains and of what the consent page shows of an app. */

import type { DomainMethod } from '@gatehouse-auth/contract'
import type { Brand, BrandSettings, Logo } from '../brand/brand.ts'
import type { Domain, DomainRef, Rechecked } from '../brand/domain.ts'
import type { TenantId } from '../ids.ts'
import type {
  ProviderClient,
  ProviderClientRef,
  ProviderName,
  ProviderStatus,
} from '../providers/provider-client.ts'
import type { Instant } from '../time.ts'

export interface DomainStore {
  /** `limit`: the tenant has that many already. Two concurrent calls cannot both take the last place. */
  add(ref: DomainRef, now: Instant, limit: number): Promise<'added' | 'exists' | 'limit'>
  find(ref: DomainRef): Promise<Domain | null>
  /** In the order of their creation. */
  listByTenant(tenantId: TenantId): Promise<Domain[]>
  /** Records that it was found. `again`: it was verified before. null: there is no such domain. */
  verify(ref: DomainRef, found: Verified): Promise<'new' | 'again' | null>
  /** The verified domains whose time has come, the longest due first. */
  listDue(now: Instant, limit: number): Promise<Domain[]>
  /** Takes a due domain until then; null if another process has taken it. */
  lease(ref: DomainRef, now: Instant, until: Instant): Promise<Domain | null>
  /** Saves a weekly check, if its lease still holds; otherwise false, and nothing is saved. */
  saveRecheck(ref: DomainRef, lease: Instant, result: Rechecked): Promise<boolean>
  /** false if there is none. */
  remove(ref: DomainRef): Promise<boolean>
  removeByTenant(tenantId: TenantId): Promise<void>
}

export interface Verified {
  readonly method: DomainMethod
  readonly at: Instant
  readonly nextCheckAt: Instant
}

export interface BrandStore {
  /** The logo stays. */
  set(tenantId: TenantId, settings: BrandSettings, now: Instant): Promise<void>
  find(tenantId: TenantId): Promise<Brand | null>
  setLogo(
    tenantId: TenantId,
    logo: Logo & { readonly png: Uint8Array },
    now: Instant,
  ): Promise<void>
  /** The picture with this hash; null if the tenant has another one, or none. */
  findLogo(tenantId: TenantId, hash: string): Promise<Uint8Array | null>
  /** false if there is none. */
  removeLogo(tenantId: TenantId): Promise<boolean>
  /** With its logo; false if there is none. */
  remove(tenantId: TenantId): Promise<boolean>
}

/** The clients of tenants at identity providers. */
export interface ProviderClientStore {
  add(client: ProviderClient): Promise<void>
  /** Retired ones, too: a login may have begun with it. */
  find(ref: ProviderClientRef): Promise<ProviderClient | null>
  /** All that are not retired, the oldest first. At most two of each provider: one in use and one pending. */
  listCurrent(tenantId: TenantId): Promise<ProviderClient[]>
  /** The same. Concurrent changes of the tenant's providers wait until the transaction ends. */
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
