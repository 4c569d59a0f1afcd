import { type EndpointAuth, SCOPE_DESCRIPTIONS, SCOPES } from '@gatehouse-auth/contract'
import type { SecurityRequirement, SecurityScheme, SecuritySchemeName } from './types.ts'

/** The security scheme of each kind of endpoint. */
export const SECURITY: Readonly<Record<EndpointAuth, readonly SecurityRequirement[]>> = {
  none: [],
  management: [{ managementKey: [] }],
  'edge-session': [{ edgeSession: [] }],
  wait: [{ waitToken: [] }],
  'account-session': [{ accountSession: [] }],
  oauth: [{ oauth: ['mcp:tenants:create'] }],
}

/** `isSecure`: the base URL is https. */
export const securitySchemes = (
  isSecure: boolean,
): Readonly<Record<SecuritySchemeName, SecurityScheme>> => ({
  managementKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`coh_management_key` of the tenant, from its `.service` file. It begins with `svc_man_`.',
  },
  edgeSession: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token from `POST /edge/session`, valid for one minute.',
  },
  waitToken: {
    type: 'http',
    scheme: 'bearer',
    description: '`wait.token` from `POST /api/claim/url`.',
  },
  accountSession: {
    type: 'apiKey',
    in: 'cookie',
    description: 'The session cookie of an owner who signed in at `/account`.',
    name: isSecure ? '__Host-gatehouse_account' : 'gatehouse_account',
  },
  oauth: {
    type: 'oauth2',
    description:
      'OAuth 2.1 with PKCE, for clients that act for a user. Tokens are bound to `{base_url}/mcp`.',
    flows: {
      authorizationCode: {
        authorizationUrl: '{base_url}/oauth/authorize',
        tokenUrl: '{base_url}/oauth/token',
        refreshUrl: '{base_url}/oauth/token',
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_DESCRIPTIONS[scope]])),
      },
    },
  },
})
