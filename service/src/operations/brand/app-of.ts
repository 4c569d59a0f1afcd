import { type Brand, brandOn } from '../../domain/brand/brand.ts'
import { coveringDomain } from '../../domain/brand/domain.ts'
import { shownAppHash } from '../../domain/brand/shown-app.ts'
import { lifecycleOf, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

/** Who an app is, as far as its owner has proved it. */
export interface App {
  /** Of a guest tenant, which has no owner yet. */
  readonly temporary: boolean
  /** Its owner controls the domain that users return to. */
  readonly verified: boolean
  /** null: only the host is shown. */
  readonly brand: Brand | null
}

const UNVERIFIED = { verified: false, brand: null } as const

/** The app that users of this login return to. Reads nothing for a guest, and no brand without a verified domain. */
export async function appOf({ stores }: Pick<Context, 'stores'>, tenant: Tenant, redirectUri: string): Promise<App> {
  if (lifecycleOf(tenant) === 'ephemeral') return { temporary: true, ...UNVERIFIED }
  const callback = new URL(redirectUri)
  const domains = await stores.domains.listByTenant(tenant.id)
  if (coveringDomain(domains, callback) === null) return { temporary: false, ...UNVERIFIED }
  const brand = await stores.brands.find(tenant.id)
  return { temporary: false, verified: true, brand: brand === null ? null : brandOn(brand, domains, callback) }
}

/** What the consent page says about who this app is. */
export const hashOfApp = ({ owner }: Tenant, { verified, brand }: App): string =>
  shownAppHash({ owner: owner?.accountId ?? null, verified, brand })
