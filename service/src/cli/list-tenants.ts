import { statusAt, tierOf } from '../domain/tenants/tenant.ts'
import { type Command, readListing } from './command.ts'

export const listTenants: Command = async (args, { stores, now, print }) => {
  const { after, limit, json } = readListing(args, '')
  const tenants = await stores.ownership.page(after, limit)
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
  if (!json && tenants.length === limit) print(`More: --after ${tenants.at(-1)?.id}`)
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
