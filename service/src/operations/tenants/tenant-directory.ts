import { allowsOrigin, callbackFromStored } from '../../domain/callbacks/url.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Stores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import { notProvisioned, tenantNotFound } from './require-tenant.ts'

const CACHE_MS = 10_000
const CACHED_MAX = 50_000

interface ProvisionedTenant {
  readonly tenant: Tenant
  readonly callbackUrls: readonly string[]
}

type CacheEntry = ProvisionedTenant & { readonly until: number }

/**
 * Caches provisioned tenants for seconds, so that invalid tokens, preflights and refreshes cause no query. Negative
 * results are not cached, and a change in this process evicts the tenant, so that a tenant works at once after it was
 * provisioned.
 */
export class TenantDirectory {
  readonly #stores: Stores
  readonly #now: () => number
  readonly #cache = new Map<string, CacheEntry>()
  readonly #pending = new Map<string, Promise<ProvisionedTenant>>()

  constructor(stores: Stores, now: () => number) {
    this.#stores = stores
    this.#now = now
  }

  /** Throws unless the tenant exists, is neither paused nor expired, and has social login. */
  async requireProvisioned(tenantId: TenantId): Promise<ProvisionedTenant> {
    const cached = this.#cache.get(tenantId)
    if (cached !== undefined && cached.until > this.#now()) return cached
    const pending = this.#pending.get(tenantId)
    if (pending !== undefined) return pending
    const isCurrent = (): boolean => this.#pending.get(tenantId) === loading
    const loading = this.#load(tenantId)
      .then((entry) => {
        // A query that started before `invalidate` may have read the old state, so its result is not cached.
        if (isCurrent()) this.#store(tenantId, entry)
        return entry
      })
      .finally(() => isCurrent() && this.#pending.delete(tenantId))
    this.#pending.set(tenantId, loading)
    return loading
  }

  /**
   * The cached tenant, however old. For a refresh, whose transaction compares it with the stored one; with many active
   * tenants, queries every few seconds took more than a tenth of the time of all refreshes.
   */
  async lastKnown(tenantId: TenantId): Promise<ProvisionedTenant> {
    const cached = this.#cache.get(tenantId)
    const isExpired = cached !== undefined && (cached.tenant.expiresAt ?? Number.POSITIVE_INFINITY) <= this.#now()
    return cached === undefined || isExpired ? this.requireProvisioned(tenantId) : cached
  }

  /** Whether CORS allows this origin: only the origins of the tenant's callback URLs. */
  async allowsOrigin(tenantId: TenantId, origin: string): Promise<boolean> {
    const { callbackUrls } = await this.requireProvisioned(tenantId)
    return allowsOrigin(origin, callbackUrls.map(callbackFromStored))
  }

  invalidate(tenantId: TenantId): void {
    this.#cache.delete(tenantId)
    this.#pending.delete(tenantId)
  }

  #store(tenantId: TenantId, entry: CacheEntry): void {
    if (this.#cache.size >= CACHED_MAX) this.#cache.clear()
    this.#cache.set(tenantId, entry)
  }

  async #load(tenantId: TenantId): Promise<CacheEntry> {
    const tenant = isTenantId(tenantId) ? await this.#stores.tenants.find(tenantId) : null
    if (tenant === null) throw tenantNotFound()
    requireTenantAccess(tenant, 'use', this.#now())
    const resource = await this.#stores.resources.findActive(tenantId)
    if (resource === null) throw notProvisioned()
    const until = Math.min(this.#now() + CACHE_MS, tenant.expiresAt ?? Number.POSITIVE_INFINITY)
    return { tenant, callbackUrls: resource.callbackUrls, until }
  }
}
