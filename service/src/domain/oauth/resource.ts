/** The one resource that tokens are for (RFC 8707), without a slash at the end: clients compare it byte for byte. */
export const mcpResource = (baseUrl: string): string => `${baseUrl}/mcp`

/**
 * What a client calls the resource, as we call it; null when it means something else, such as the retired
 * `{base_url}/mcp/manage`. Older clients leave it out. One slash at the end and capitals in scheme and host are the
 * same address, and so is `?login`, the door that asks for a token (decision 12).
 */
export function readResource(baseUrl: string, written: string | undefined): string | null {
  const own = mcpResource(baseUrl)
  if (written === undefined) return own
  const [, origin = '', rest = ''] = /^([A-Za-z]+:\/\/[^/?#]*)(.*)$/s.exec(written) ?? []
  return origin.toLowerCase() === baseUrl && ['/mcp', '/mcp/', '/mcp?login'].includes(rest) ? own : null
}
