import { allowsOrigin, callbackFromStored } from '../../domain/callbacks/url.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Resource, Stores } from '../../domain/stores/stores.ts'
import { requireTenantAccess, type Tenant, type TenantAction } from '../../domain/tenants/tenant.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import type { Instant } from '../../domain/time.ts'
import { notProvisioned, tenantNotFound } from './require-tenant.ts'

const CACHE_MS = 10_000
const CACHED_MAX = 50_000

interface ProvisionedTenant extends Pick<Resource, 'callbackUrls' | 'idTokens'> {
  readonly tenant: Tenant
}

/** A tenant as it was read; `provisioned` is null without social login. */
interface FoundTenant {
  readonly tenant: Tenant
  readonly provisioned: ProvisionedTenant | null
}

interface CachedTenant {
  readonly provisioned: ProvisionedTenant
  readonly until: Instant
}

/**
 * Caches provisioned tenants for seconds, so that invalid tokens, preflights and refreshes cause no query. A change in
 * this process evicts the tenant, so that it takes effect at once.
 */
export class TenantDirectory {
  readonly #stores: Stores
  readonly #now: () => number
  readonly #cache = new Map<TenantId, CachedTenant>()
  /** Tenants that are being read: concurrent calls share one query. */
  readonly #pending = new Map<TenantId, Promise<FoundTenant>>()

  constructor(stores: Stores, now: () => number) {
    this.#stores = stores
    this.#now = now
  }

  /** Throws unless the tenant exists, its status allows the action, and it has social login. */
  async requireProvisioned(
    tenantId: TenantId,
    action: TenantAction = 'use',
  ): Promise<ProvisionedTenant> {
    const { tenant, provisioned } = await this.#find(tenantId)
    requireTenantAccess(tenant, action, this.#now())
    if (provisioned === null) {
      throw notProvisioned()
    }
    return provisioned
  }

  async #find(tenantId: TenantId): Promise<FoundTenant> {
    const cached = this.#cache.get(tenantId)
    if (cached !== undefined && cached.until > this.#now()) {
      const { provisioned } = cached
      return { tenant: provisioned.tenant, provisioned }
    }
    const pending = this.#pending.get(tenantId)
    if (pending !== undefined) {
      return pending
    }

    const loading = this.#load(tenantId)
    this.#pending.set(tenantId, loading)
    try {
      const found = await loading
      // A query that started before `invalidate` may have read the old state, so its result is not cached.
      if (this.#pending.get(tenantId) === loading) {
        this.#store(tenantId, found)
      }
      return found
    } finally {
      if (this.#pending.get(tenantId) === loading) {
        this.#pending.delete(tenantId)
      }
    }
  }

  /**
   * The cached tenant, however old. For a refresh, whose transaction compares it with the stored one; with many active
   * tenants, queries every few seconds took more than a tenth of the time of all refreshes.
   */
  async lastKnown(tenantId: TenantId): Promise<ProvisionedTenant> {
    const provisioned = this.#cache.get(tenantId)?.provisioned
    if (provisioned === undefined || isExpired(provisioned.tenant, this.#now())) {
      return this.requireProvisioned(tenantId)
    }
    return provisioned
  }

  /**
   * Whether CORS allows this origin: only the origins of the tenant's callback URLs. While it is paused or suspended too, so
   * that a page can log out and can read why other calls fail.
   */
  async allowsOrigin(tenantId: TenantId, origin: string): Promise<boolean> {
    const { callbackUrls } = await this.requireProvisioned(tenantId, 'status')
    return allowsOrigin(origin, callbackUrls.map(callbackFromStored))
  }

  invalidate(tenantId: TenantId): void {
    this.#cache.delete(tenantId)
    this.#pending.delete(tenantId)
  }

  /** After the database was replaced. */
  clear(): void {
    this.#cache.clear()
    this.#pending.clear()
  }

  /** Not cached: a paused, suspended or unprovisioned tenant, which works at once, also if another instance changes it. */
  #store(tenantId: TenantId, { tenant, provisioned }: FoundTenant): void {
    if (provisioned === null || tenant.pausedAt !== null || tenant.suspension !== null) {
      return
    }
    if (this.#cache.size >= CACHED_MAX) {
      this.#cache.clear()
    }
    const until = Math.min(this.#now() + CACHE_MS, tenant.expiresAt ?? Number.POSITIVE_INFINITY)
    this.#cache.set(tenantId, { provisioned, until })
  }

  async #load(tenantId: TenantId): Promise<FoundTenant> {
    const tenant = isTenantId(tenantId) ? await this.#stores.tenants.find(tenantId) : null
    if (tenant === null) {
      throw tenantNotFound()
    }
    const resource = await this.#stores.resources.findActive(tenantId)
    if (resource === null) {
      return { tenant, provisioned: null }
    }
    const { callbackUrls, idTokens } = resource
    return { tenant, provisioned: { tenant, callbackUrls, idTokens } }
  }
}

function isExpired({ expiresAt }: Tenant, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now
}
