import type { EndpointId, OAUTH_ENDPOINTS, ToolName } from '@gatehouse/contract'
import type { accountPaths } from '../../src/http/account/paths.ts'
import type { CallOptions } from '../support/actors/agent.ts'
import type { Parameters } from '../support/actors/oauth-client.ts'
import type { Scene } from './isolation-scene.ts'

/** One call by the intruder. Whatever it answers, nothing of the victim is in it, and nothing of the victim changes. */
export interface Attempt {
  /** For the `:names` of the path. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly options?: CallOptions
  /** `own`: it may succeed, on what belongs to the intruder. */
  readonly ends: 'refused' | 'own'
  /** What anybody may hear at this address. */
  readonly tells?: readonly string[]
}

/** Everything an intruder holds, tried as a bearer where another credential belongs. */
const bearers = ({ intruder }: Scene): string[] => [
  ...[intruder.tenant.applicationKey, intruder.pair.access_token, intruder.pair.refresh_token],
  ...[
    intruder.edgeToken,
    intruder.claimRequest.wait.token,
    intruder.tokens.access_token,
    intruder.tokens.refresh_token,
  ],
]

/** The victim named in every place that a careless handler could read, beside a key that is the intruder's own. */
function managed(scene: Scene, body?: Readonly<Record<string, unknown>>): Attempt[] {
  const { victim, intruder } = scene
  const { key } = intruder.tenant
  const naming = { 'X-Tenant-Id': victim.tenant.id, 'X-Management-Key': victim.userId.toString() }
  const fields = { tenant_id: victim.tenant.id, tenantId: victim.tenant.id, account_id: 1, user_id: victim.userId }
  return [
    { options: { key, headers: naming, ...(body && { body }) }, ends: 'own' },
    { query: `?tenant_id=${victim.tenant.id}`, options: { key, ...(body && { body }) }, ends: 'refused' },
    ...(body ? [{ options: { key, body: { ...body, ...fields } }, ends: 'refused' } as const] : []),
    ...bearers(scene).map((bearer): Attempt => ({ options: { key: bearer, ...(body && { body }) }, ends: 'refused' })),
  ]
}

/** At the victim's address with the intruder's token, and the other way round; the edge ignores fields it does not know. */
const edge =
  (field: 'access_token' | 'refresh_token', ends: Attempt['ends']) =>
  ({ victim, intruder }: Scene): Attempt[] => [
    { params: { tenantId: victim.tenant.id }, options: { body: { [field]: intruder.pair[field] } }, ends },
    { params: { tenantId: intruder.tenant.id }, options: { body: { [field]: victim.pair[field] } }, ends },
    {
      params: { tenantId: intruder.tenant.id },
      options: { body: { [field]: victim.pair[field], tenant_id: victim.tenant.id } },
      ends,
    },
  ]

const CALLBACK = { callback_urls: ['https://intruder.example.com/callback'] }

/** Every endpoint of the contract. A new one does not compile without an entry. */
export const AT_ENDPOINTS: Readonly<Record<EndpointId, (scene: Scene) => Attempt[]>> = {
  createGuestTenant: ({ victim }) => [{ options: { body: { tenant_id: victim.tenant.id } }, ends: 'refused' }],
  readStatus: (scene) => managed(scene),
  bootstrapTenant: ({ victim, intruder }) => [
    {
      options: {
        key: intruder.tokens.access_token,
        body: { confirmed: true, idempotency_key: 'intruding-1', tenant_id: victim.tenant.id },
      },
      ends: 'refused',
    },
    {
      options: { key: intruder.tenant.key, body: { confirmed: true, idempotency_key: 'intruding-2' } },
      ends: 'refused',
    },
  ],
  // The intruder's own tenant has an owner already, so even the honest call is refused.
  requestClaim: (scene) => managed(scene).map((attempt) => ({ ...attempt, ends: 'refused' })),
  waitForClaim: ({ victim, intruder }) => [
    { query: '?timeout=0', options: { key: intruder.claimRequest.wait.token }, ends: 'own' },
    {
      query: `?timeout=0&tenant_id=${victim.unclaimed.id}`,
      options: { key: intruder.claimRequest.wait.token },
      ends: 'refused',
    },
    { query: '?timeout=0', options: { key: intruder.unclaimed.key }, ends: 'refused' },
  ],
  provisionSocialLogin: (scene) => managed(scene, CALLBACK),
  // Not the one that succeeds: the intruder's own tokens must stay good for what follows.
  removeSocialLogin: (scene) => managed(scene).filter(({ ends }) => ends === 'refused'),
  listResources: (scene) => managed(scene),
  provisionResources: (scene) =>
    managed(scene, { resources: ['social-login'], configurations: { 'social-login': CALLBACK } }),
  listUsers: (scene) => [
    ...managed(scene),
    { query: `?after=${scene.victim.userId - 1}`, options: { key: scene.intruder.tenant.key }, ends: 'own' },
  ],
  getUser: ({ victim, intruder }) => [
    { params: { id: String(victim.userId) }, options: { key: intruder.tenant.key }, ends: 'refused' },
    { params: { id: String(victim.userId) }, options: { key: intruder.tenant.applicationKey }, ends: 'refused' },
    { params: { id: `${victim.userId}%20or%201=1` }, options: { key: intruder.tenant.key }, ends: 'refused' },
  ],
  listEvents: (scene) => [
    ...managed(scene),
    { query: `?user_id=${scene.victim.userId}`, options: { key: scene.intruder.tenant.key }, ends: 'own' },
    { query: '?after=0&limit=500&wait=0', options: { key: scene.intruder.tenant.key }, ends: 'own' },
  ],
  readObservability: (scene) => managed(scene),
  readInsights: ({ victim, intruder }) => [
    { options: { key: intruder.tenant.key }, ends: 'refused' },
    { options: { key: intruder.tokens.access_token }, ends: 'refused' },
    {
      options: { headers: { Cookie: `gatehouse_account=${victim.tenant.key.padEnd(43, 'x').slice(0, 43)}` } },
      ends: 'refused',
    },
  ],
  leaveFeedback: (scene) => managed(scene, { feedback: 'from the intruder' }),
  describeDiscountReport: () => [{ ends: 'own' }],
  reportForDiscount: (scene) =>
    managed(scene, { user_authorized: true }).map((attempt) => ({ ...attempt, ends: 'refused' })),
  startLogin: ({ victim, intruder }) => [
    {
      params: { tenantId: victim.tenant.id },
      query: '?redirect_uri=https://intruder.example.com/callback',
      ends: 'refused',
      // A login link that is wrong is answered with the registered address that was probably meant.
      tells: ['victim.example.com'],
    },
    {
      params: { tenantId: intruder.tenant.id },
      query: '?redirect_uri=https://victim.example.com/callback',
      ends: 'refused',
      tells: ['victim.example.com'],
    },
    { params: { tenantId: `${intruder.tenant.id}%2f..%2f${victim.tenant.id}` }, ends: 'refused' },
  ],
  verifyAccessToken: edge('access_token', 'own'),
  refreshSession: edge('refresh_token', 'refused'),
  logOut: edge('refresh_token', 'own'),
  openEdgeSession: ({ intruder }) => [
    { query: `?key=${intruder.tenant.key}`, ends: 'refused' },
    { query: `?key=${intruder.tenant.applicationKey}`, ends: 'own' },
  ],
  readEdgeSession: ({ victim, intruder }) => [
    { query: `?tenant_id=${victim.tenant.id}`, options: { key: intruder.edgeToken }, ends: 'own' },
    { options: { key: intruder.tenant.applicationKey }, ends: 'refused' },
  ],
}

export interface ToolAttempt {
  readonly caller: 'public' | 'account'
  readonly args: Readonly<Record<string, unknown>>
}

/** The victim's tenant at both doors of a tool, with what the intruder may show at each. */
const naming =
  (extra: Readonly<Record<string, unknown>> = {}) =>
  ({ victim, intruder }: Scene): ToolAttempt[] =>
    [victim.tenant, victim.unclaimed].flatMap(({ id: tenant_id }): ToolAttempt[] => [
      { caller: 'account', args: { ...extra, tenant_id } },
      { caller: 'account', args: { ...extra, tenant_id, coh_management_key: intruder.tenant.key } },
      { caller: 'public', args: { ...extra, tenant_id, coh_management_key: intruder.tenant.key } },
      { caller: 'public', args: { ...extra, tenant_id, coh_management_key: intruder.tenant.applicationKey } },
      { caller: 'public', args: { ...extra, tenant_id, coh_management_key: intruder.tokens.access_token } },
      { caller: 'public', args: { ...extra, tenant_id } },
    ])

const provisioning = { confirmed: true, resource: 'social-login', configuration: CALLBACK }

/** Every tool. A new one does not compile without an entry. All of these are refused. */
export const AT_TOOLS: Readonly<Record<ToolName, (scene: Scene) => ToolAttempt[]>> = {
  get_service_documentation: () => [],
  create_tenant: naming({ confirmed: true, idempotency_key: 'intruding-3' }),
  claim_tenant: naming({ confirmed: true }),
  tenant_status: naming(),
  provision_resource: naming(provisioning),
  give_feedback: naming({ feedback: 'from the intruder' }),
}

type OAuthId = (typeof OAUTH_ENDPOINTS)[number]['id']

/** Forms that a client posts about a grant that is not its own. All are answered as if there were no such grant. */
export const AT_TOKENS: Readonly<Record<'exchangeToken' | 'revokeToken', (scene: Scene) => Parameters[]>> = {
  exchangeToken: ({ victim, intruder }) => [
    { grant_type: 'refresh_token', refresh_token: victim.tokens.refresh_token, client_id: intruder.client.id },
    { grant_type: 'refresh_token', refresh_token: victim.tokens.access_token, client_id: intruder.client.id },
  ],
  revokeToken: ({ victim, intruder }) => [
    { token: victim.tokens.access_token, client_id: intruder.client.id },
    { token: victim.tokens.refresh_token, client_id: intruder.client.id, token_type_hint: 'refresh_token' },
  ],
}

/** These take nothing that could name somebody else's grant. */
export const WITHOUT_GRANTS: readonly OAuthId[] = [
  ...(['registerClient', 'authorize', 'readProtectedResource', 'readAuthorizationServer'] as const),
]

/** Every page and button of an account, aimed at what the victim owns: the path, and the fields of a post. */
export const AT_PAGES: Readonly<
  Record<keyof typeof accountPaths, (scene: Scene) => { readonly fields?: Readonly<Record<string, string>> }>
> = {
  home: () => ({}),
  project: () => ({}),
  signOut: () => ({ fields: {} }),
  signOutEverywhere: () => ({ fields: {} }),
  endSession: ({ ids }) => ({ fields: { session: ids.accountSession } }),
  revokeAgent: ({ ids }) => ({ fields: { grant: ids.grant } }),
  endProjectSession: ({ ids }) => ({ fields: { session: ids.session } }),
  replaceKeys: () => ({ fields: {} }),
  deleteProject: ({ victim }) => ({ fields: { confirm: victim.tenant.id } }),
}
