import type { Stores } from '../domain/stores/stores.ts'
import { statusAt, type Tenant, tierOf } from '../domain/tenants/tenant.ts'
import { findAccount } from '../operations/accounts/find-account.ts'
import { type Command, readListing } from './command.ts'

export const listTenants: Command = async (args, { stores, now, print }) => {
  const { after, limit, json, only: email } = readListing(args, '', 'account')
  // One more than requested, to know whether there is another page.
  const found = await (email === undefined
    ? stores.ownership.page(after, limit + 1)
    : ownedBy(stores, email, after, limit + 1))
  const tenants = found.slice(0, limit)
  for (const tenant of tenants) {
    const row = {
      tenant_id: tenant.id,
      status: statusAt(tenant, now),
      tier: tierOf(tenant),
      account_id: tenant.owner?.accountId ?? null,
      created_at: new Date(tenant.createdAt).toISOString(),
      expires_at: tenant.expiresAt === null ? null : new Date(tenant.expiresAt).toISOString(),
      runtime_profile: tenant.profile,
    }
    print(json ? JSON.stringify(row) : readable(row))
  }
  if (!json && found.length > limit) print(`More: --after ${tenants.at(-1)?.id}`)
}

/** In the order and with the paging of the whole list. */
async function ownedBy(stores: Stores, email: string, after: string, limit: number): Promise<Tenant[]> {
  const { id } = await findAccount({ stores }, email)
  const owned = (await stores.ownership.ownedBy(id)).sort((a, b) => (a.id < b.id ? -1 : 1))
  return owned.filter((tenant) => tenant.id > after).slice(0, limit)
}

const readable = (row: {
  tenant_id: string
  status: string
  tier: string
  created_at: string
  expires_at: string | null
}): string =>
  `${row.tenant_id.padEnd(40)} ${row.status.padEnd(10)} ${row.tier.padEnd(10)} created ${row.created_at.slice(0, 16)}Z${
    row.expires_at === null ? '' : `  expires ${row.expires_at.slice(0, 16)}Z`
  }`
