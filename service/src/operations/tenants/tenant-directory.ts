import { allowsOrigin, callbackFromStored } from '../../domain/callbacks/url.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Stores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import { notProvisioned, tenantNotFound } from './require-tenant.ts'

const REMEMBER_MS = 10_000
const REMEMBERED_MAX = 50_000

interface Known {
  readonly tenant: Tenant
  readonly callbackUrls: readonly string[]
}

/**
 * Which tenants can be used at the edge, remembered for seconds: so that garbage tokens, preflights and refreshes do not
 * turn into database reads. Only a yes is remembered, and what this process changes it forgets at once, so a tenant that
 * was provisioned a moment ago is never told that it is not.
 */
export class TenantDirectory {
  readonly #stores: Stores
  readonly #now: () => number
  readonly #known = new Map<string, Known & { readonly until: number }>()
  readonly #asking = new Map<string, Promise<Known>>()

  constructor(stores: Stores, now: () => number) {
    this.#stores = stores
    this.#now = now
  }

  /** Refuses unless the tenant exists, may be used and has social login. */
  async requireProvisioned(tenantId: TenantId): Promise<Known> {
    const known = this.#known.get(tenantId)
    if (known !== undefined && known.until > this.#now()) return known
    const asked = this.#asking.get(tenantId)
    if (asked !== undefined) return asked
    const isCurrent = (): boolean => this.#asking.get(tenantId) === asking
    const asking = this.#look(tenantId)
      .then((found) => {
        // Whoever asked before a change may still have seen what was before it.
        if (isCurrent()) this.#remember(tenantId, found)
        return found
      })
      .finally(() => isCurrent() && this.#asking.delete(tenantId))
    this.#asking.set(tenantId, asking)
    return asking
  }

  /**
   * As it was seen last, however long ago. For a refresh, whose own transaction compares what we remember with what is
   * stored; with many tenants in use, looking every few seconds cost more than a tenth of all refreshes.
   */
  async lastKnown(tenantId: TenantId): Promise<Known> {
    const known = this.#known.get(tenantId)
    const isOver = known !== undefined && (known.tenant.expiresAt ?? Number.POSITIVE_INFINITY) <= this.#now()
    return known === undefined || isOver ? this.requireProvisioned(tenantId) : known
  }

  /** May pages of this origin call the tenant's edge? Those may that its people are sent back to. */
  async allowsOrigin(tenantId: TenantId, origin: string): Promise<boolean> {
    const { callbackUrls } = await this.requireProvisioned(tenantId)
    return allowsOrigin(origin, callbackUrls.map(callbackFromStored))
  }

  forget(tenantId: TenantId): void {
    this.#known.delete(tenantId)
    this.#asking.delete(tenantId)
  }

  #remember(tenantId: TenantId, found: Known & { readonly until: number }): void {
    if (this.#known.size >= REMEMBERED_MAX) this.#known.clear()
    this.#known.set(tenantId, found)
  }

  async #look(tenantId: TenantId): Promise<Known & { readonly until: number }> {
    const tenant = isTenantId(tenantId) ? await this.#stores.tenants.find(tenantId) : null
    if (tenant === null) throw tenantNotFound()
    requireTenantAccess(tenant, 'use', this.#now())
    const resource = await this.#stores.resources.findActive(tenantId)
    if (resource === null) throw notProvisioned()
    const until = Math.min(this.#now() + REMEMBER_MS, tenant.expiresAt ?? Number.POSITIVE_INFINITY)
    return { tenant, callbackUrls: resource.callbackUrls, until }
  }
}
