import { ApiError } from '../../domain/api-error.ts'
import type { Domain, DomainRef } from '../../domain/brand/domain.ts'
import { readDomainHost } from '../../domain/brand/domain-host.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

export const domainNotFound = (): ApiError =>
  new ApiError('domainNotFound', 'This tenant has no domain with this host. List them: GET /api/domains.')

/** The domain that a path names. Text that is no host reaches no query. */
export function domainRef({ baseUrl }: Pick<Context, 'baseUrl'>, tenant: Tenant, text: string): DomainRef {
  const read = readDomainHost(text, baseUrl)
  if (!read.ok) throw domainNotFound()
  return { tenantId: tenant.id, host: read.host }
}

export async function requireDomain({ domains }: Pick<TransactionStores, 'domains'>, ref: DomainRef): Promise<Domain> {
  const domain = await domains.find(ref)
  if (domain === null) throw domainNotFound()
  return domain
}
