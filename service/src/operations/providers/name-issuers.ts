import type { ProviderName } from '@gatehouse/contract'
import { fixedIssuer } from '../../domain/providers/fixed-issuer.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

/** Which provider of this tenant an issuer is. null: an OpenID provider that the owner has removed. */
export type NameIssuer = (issuer: string) => ProviderName | null

/** For users' identities. Users are stored by issuer, because a provider can be renamed or removed. */
export async function nameIssuers(ctx: Context, tenant: Tenant): Promise<NameIssuer> {
  const google = await ctx.identity.issuer()
  const clients = await ctx.stores.providerClients.listCurrent(tenant.id)
  return (issuer) => {
    if (issuer === google) return 'google'
    return fixedIssuer(issuer) ?? clients.find((client) => client.issuer === issuer)?.provider ?? null
  }
}
