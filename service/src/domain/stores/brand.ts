/** The stores of domains and of what the consent page shows of an app. */

import type { DomainMethod } from '@gatehouse-auth/contract'
import type { Brand, BrandSettings, Logo } from '../brand/brand.ts'
import type { Domain, DomainRef, Rechecked } from '../brand/domain.ts'
import type { TenantId } from '../ids.ts'
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
