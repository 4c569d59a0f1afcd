import { API_VERSION, SCOPES, TOOL_NAMES } from '@gatehouse/contract'
import { mcpResource } from '../../domain/oauth/grant.ts'

const NAME = 'gatehouse'

/** The host in reverse-DNS notation: `login.example.com` → `com.example.login`. An IP address becomes `localhost`. */
export function reverseDnsName(baseUrl: string): string {
  const host = new URL(baseUrl).hostname
  if (/^[\d.]+$/.test(host) || host.startsWith('[')) return 'localhost'
  return host.split('.').reverse().join('.')
}

/**
 * The Server Card (SEP-2127) of the MCP server: its URL and how to sign in. Clients list the tools from the server
 * itself; the names in `_meta`, under a namespace of this host, are a hint.
 */
export function serverCard(baseUrl: string): object {
  const namespace = reverseDnsName(baseUrl)
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${namespace}/${NAME}`,
    title: 'Gatehouse',
    version: `${API_VERSION}.0.0`,
    description: 'Sign in with Google for any app: create a tenant, provision it, and have it claimed.',
    websiteUrl: `${baseUrl}/docs/mcp`,
    remotes: [
      {
        type: 'streamable-http',
        url: mcpResource(baseUrl),
        supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
      },
    ],
    _meta: {
      [`${namespace}/auth`]: {
        authorization: 'optional',
        resource: mcpResource(baseUrl),
        sign_in_url: `${mcpResource(baseUrl)}?login`,
        protected_resource_metadata: `${baseUrl}/.well-known/oauth-protected-resource/mcp`,
        authorization_server_metadata: `${baseUrl}/.well-known/oauth-authorization-server`,
        scopes_supported: SCOPES,
      },
      [`${namespace}/tools`]: TOOL_NAMES,
    },
  }
}

/** The AI catalog of this host: its list of MCP servers. */
export const aiCatalog = (baseUrl: string): object => ({
  specVersion: '1.0',
  entries: [
    {
      identifier: `urn:air:${new URL(baseUrl).hostname}:mcp:${NAME}`,
      type: 'application/mcp-server-card+json',
      url: `${baseUrl}/mcp/server-card`,
    },
  ],
})
