import type { Mutant } from './mutant.ts'

/** The authorization server, MCP tools and what an OAuth grant reaches. */
export const OAUTH_AND_MCP: readonly Mutant[] = [
  {
    name: 'a management key opens another tenant over MCP',
    file: 'service/src/operations/tenants/authenticate-tenant.ts',
    find: ' || found.tenant.id !== tenantId',
    replace: '',
    tests: ['service/test/mcp/attacks.test.ts', 'service/test/tenants/isolation.test.ts'],
  },
  {
    name: 'an OAuth grant reaches any tenant',
    file: 'service/src/operations/tenants/require-accessible-tenant.ts',
    find: ' || !canAccess(grant, tenant, ctx.now())',
    replace: '',
    tests: [
      'service/test/mcp/attacks.test.ts',
      'service/test/tenants/isolation.test.ts',
      'service/test/mcp/oauth-journey.test.ts',
    ],
  },
  {
    name: 'a tool runs without its scope',
    file: 'service/src/http/mcp/caller.ts',
    find: "caller.kind === 'oauth' && scope !== null && !caller.grant.scopes.includes(scope)",
    replace: 'false',
    tests: ['service/test/mcp/authorization.test.ts'],
  },
  {
    name: 'MCP responses are not scrubbed',
    file: 'service/src/http/mcp/call-tool.ts',
    find: 'const structuredContent = scrub(output, mayHoldSecret === undefined ? [] : [mayHoldSecret])',
    replace: 'const structuredContent = output',
    tests: ['service/test/mcp/scrub.test.ts'],
  },
  {
    name: 'an OAuth code is exchanged by another client',
    file: 'service/src/operations/oauth/exchange-code.ts',
    find: 'code === null || code.grant.clientId !== input.clientId',
    replace: 'code === null',
    tests: ['service/test/oauth/codes.test.ts', 'service/test/oauth/attacks.test.ts'],
  },
  {
    name: 'an OAuth code is exchanged without its verifier',
    file: 'service/src/operations/oauth/exchange-code.ts',
    find: 'if (!fitsChallenge(input.verifier, code.challenge))',
    replace: 'if (false)',
    tests: ['service/test/oauth/codes.test.ts', 'service/test/oauth/attacks.test.ts'],
  },
  {
    name: 'an OAuth code is exchanged with another redirect URI',
    file: 'service/src/operations/oauth/exchange-code.ts',
    find: 'if (code.redirectUri !== input.redirectUri)',
    replace: 'if (false)',
    tests: ['service/test/oauth/codes.test.ts', 'service/test/oauth/attacks.test.ts'],
  },
  {
    name: 'an OAuth code that comes back does not revoke its grant',
    file: 'service/src/operations/oauth/exchange-code.ts',
    find: 'if (code.usedAt !== null) throw await revokeReplayed(ctx, grant, now)',
    replace: 'if (code.usedAt !== null) throw invalidGrant()',
    tests: ['service/test/oauth/codes.test.ts'],
  },
  {
    name: 'an OAuth refresh may ask for more scopes',
    file: 'service/src/operations/oauth/refresh-grant.ts',
    find: 'if (scopes === null)',
    replace: 'if (false)',
    tests: ['service/test/oauth/refresh.test.ts'],
  },
  {
    name: 'an OAuth access token of another resource is accepted',
    file: 'service/src/operations/oauth/authenticate-bearer.ts',
    find: ' || grant.resource !== mcpResource(ctx.baseUrl)',
    replace: '',
    tests: ['service/test/oauth/revocation.test.ts', 'service/test/mcp/authorization.test.ts'],
  },
  {
    name: 'an OAuth redirect URI matches by its beginning',
    file: 'service/src/domain/oauth/redirect-uri.ts',
    find: 'registered.includes(requested)',
    replace: 'registered.some((uri) => requested.startsWith(uri))',
    tests: ['service/src/domain/oauth/redirect-uri.test.ts'],
  },
  {
    name: 'a client metadata document is fetched from a private address',
    file: 'service/src/domain/network/public-address.ts',
    find: '10.0.0.0/8 ',
    replace: '',
    tests: ['service/src/domain/network/public-address.test.ts'],
  },
  {
    name: 'credentials are downloaded by an account that does not own them',
    file: 'service/src/operations/tenants/read-credentials.ts',
    find: 'account !== null && tenant.owner?.accountId === account.id',
    replace: 'account !== null',
    tests: ['service/test/mcp/credentials-download.test.ts'],
  },
  {
    name: 'claim_tenant is marked idempotent',
    file: 'contract/src/tools.ts',
    find: 'idempotentHint: false, openWorldHint: false },\n  input: {\n    public: z.strictObject({ confirmed, ...withKey }),\n    oauth: z.strictObject({ confirmed, tenant_id }),\n    local: z.strictObject({ confirmed, project_root }),\n  },\n  // Only the URL',
    replace:
      'idempotentHint: true, openWorldHint: false },\n  input: {\n    public: z.strictObject({ confirmed, ...withKey }),\n    oauth: z.strictObject({ confirmed, tenant_id }),\n    local: z.strictObject({ confirmed, project_root }),\n  },\n  // Only the URL',
    tests: ['service/test/mcp/tool-definitions.test.ts'],
  },
]
