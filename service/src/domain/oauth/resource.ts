/** The resource of all tokens (RFC 8707), without a trailing slash, because clients compare it byte for byte. */
export const mcpResource = (baseUrl: string): string => `${baseUrl}/mcp`

/**
 * Normalizes a `resource` parameter; null for another resource, such as the retired `{base_url}/mcp/manage`. Older clients
 * omit it. A trailing slash, upper case in scheme and host, and `?login`, which requires a token (decision 12), are
 * accepted.
 */
export function readResource(baseUrl: string, requested: string | undefined): string | null {
  const resource = mcpResource(baseUrl)
  if (requested === undefined) return resource
  const [, origin = '', rest = ''] = /^([A-Za-z]+:\/\/[^/?#]*)(.*)$/s.exec(requested) ?? []
  return origin.toLowerCase() === baseUrl && ['/mcp', '/mcp/', '/mcp?login'].includes(rest) ? resource : null
}
