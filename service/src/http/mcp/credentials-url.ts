/** The path, with its parameter, of a download that only a browser can have. */
export const CREDENTIALS_PATH = '/mcp/tenants/:tenant_id/credentials'

export const credentialsUrl = (baseUrl: string, tenantId: string): string =>
  `${baseUrl}${CREDENTIALS_PATH.replace(':tenant_id', tenantId)}`
