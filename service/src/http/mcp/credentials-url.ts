import type { TenantId } from '../../domain/ids.ts'

/** The path, with its parameter, of a download that only a browser can have. */
export const CREDENTIALS_PATH = '/mcp/tenants/:tenant_id/credentials'

export const credentialsUrl = (baseUrl: string, tenantId: TenantId): string =>
  `${baseUrl}${CREDENTIALS_PATH.replace(':tenant_id', tenantId)}`
