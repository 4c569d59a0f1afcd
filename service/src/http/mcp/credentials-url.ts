import type { TenantId } from '../../domain/ids.ts'

/** The route of the credentials download, which authenticates by browser cookies only. */
export const CREDENTIALS_PATH = '/mcp/tenants/:tenant_id/credentials'

export const credentialsPath = (tenantId: TenantId): string =>
  CREDENTIALS_PATH.replace(':tenant_id', encodeURIComponent(tenantId))

export const credentialsUrl = (baseUrl: string, tenantId: TenantId): string => baseUrl + credentialsPath(tenantId)
