import { type EndpointAuth, SCOPE_DESCRIPTIONS, SCOPES } from '@gatehouse-auth/contract'
import schemes from '../../../../content/openapi/security-schemes.json' with { type: 'json' }

/** The security scheme of each kind of endpoint. */
export const SECURITY: Readonly<
  Record<EndpointAuth, readonly Readonly<Record<string, readonly string[]>>[]>
> = {
  none: [],
  management: [{ managementKey: [] }],
  'edge-session': [{ edgeSession: [] }],
  wait: [{ waitToken: [] }],
  'account-session': [{ accountSession: [] }],
  oauth: [{ oauth: ['mcp:tenants:create'] }],
}

/** `isSecure`: the base URL is https. */
export function securitySchemes(isSecure: boolean): Readonly<Record<string, unknown>> {
  const { accountSession, oauth } = schemes
  const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_DESCRIPTIONS[scope]]))
  return {
    ...schemes,
    accountSession: {
      ...accountSession,
      name: isSecure ? '__Host-gatehouse_account' : 'gatehouse_account',
    },
    oauth: { ...oauth, flows: { authorizationCode: { ...oauth.flows.authorizationCode, scopes } } },
  }
}
