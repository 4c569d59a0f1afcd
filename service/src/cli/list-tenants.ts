import { statusAt, tierOf } from '../domain/tenants/tenant.ts'
import { type Command, readListing } from './command.ts'

export const listTenants: Command = async (args, { stores, now, say }) => {
  const { after, limit, json } = readListing(args, '')
  const tenants = await stores.ownership.page(after, limit)
  for (const tenant of tenants) {
    const facts = {
      tenant_id: tenant.id,
      status: statusAt(tenant, now),
      tier: tierOf(tenant),
      account_id: tenant.owner?.accountId ?? null,
      created_at: new Date(tenant.createdAt).toISOString(),
      expires_at: tenant.expiresAt === null ? null : new Date(tenant.expiresAt).toISOString(),
      runtime_profile: tenant.profile,
    }
    say(json ? JSON.stringify(facts) : plain(facts))
  }
  if (!json && tenants.length === limit) say(`More: --after ${tenants.at(-1)?.id}`)
}

const plain = (facts: {
  tenant_id: string
  status: string
  tier: string
  created_at: string
  expires_at: string | null
}): string =>
  `${facts.tenant_id.padEnd(40)} ${facts.status.padEnd(10)} ${facts.tier.padEnd(10)} made ${facts.created_at.slice(0, 16)}Z${
    facts.expires_at === null ? '' : `  ends ${facts.expires_at.slice(0, 16)}Z`
  }`
