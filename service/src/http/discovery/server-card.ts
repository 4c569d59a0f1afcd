import { API_VERSION, SCOPES, TOOL_NAMES } from '@gatehouse/contract'
import { mcpResource } from '../../domain/oauth/resource.ts'

const NAME = 'gatehouse'

/** The host as a name space: `login.example.com` → `com.example.login`. An address of numbers is left as it is. */
export function nameSpace(baseUrl: string): string {
  const host = new URL(baseUrl).hostname
  if (/^[\d.]+$/.test(host) || host.startsWith('[')) return 'localhost'
  return host.split('.').reverse().join('.')
}

/**
 * A Server Card (SEP-2127) of the MCP server. It says where it is and how to sign in; tools are listed by the server
 * itself, so their names are a hint, under a name space of our own.
 */
export function serverCard(baseUrl: string): object {
  const space = nameSpace(baseUrl)
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${space}/${NAME}`,
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
      [`${space}/auth`]: {
        authorization: 'optional',
        resource: mcpResource(baseUrl),
        sign_in_url: `${mcpResource(baseUrl)}?login`,
        protected_resource_metadata: `${baseUrl}/.well-known/oauth-protected-resource/mcp`,
        authorization_server_metadata: `${baseUrl}/.well-known/oauth-authorization-server`,
        scopes_supported: SCOPES,
      },
      [`${space}/tools`]: TOOL_NAMES,
    },
  }
}

/** Where agents look first for what a host offers them. */
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
