import type { EndpointId, OAUTH_ENDPOINTS, ToolName } from '@gatehouse-auth/contract'
import type { CallOptions } from '../support/actors/agent.ts'
import type { Parameters } from '../support/actors/oauth-client.ts'
import type { Scene } from './isolation-scene.ts'

/** One request by the intruder. Its response must disclose nothing of the victim, and nothing of the victim changes. */
export interface IntruderRequest {
  /** The path parameters. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly options?: CallOptions
  /** `own`: the request may succeed, on the intruder's own data. */
  readonly outcome: 'rejected' | 'own'
  /** Victim data that this endpoint discloses to anyone. */
  readonly mayDisclose?: readonly string[]
}

/** Every other credential of the intruder, sent as a bearer token. */
const bearers = ({ intruder }: Scene): string[] => [
  ...[intruder.tenant.applicationKey, intruder.pair.access_token, intruder.pair.refresh_token],
  ...[
    intruder.edgeToken,
    intruder.claimRequest.wait.token,
    intruder.tokens.access_token,
    intruder.tokens.refresh_token,
  ],
]

/** The intruder's valid key with the victim's ids in headers, query and body. */
function managed(scene: Scene, body?: Readonly<Record<string, unknown>>): IntruderRequest[] {
  const { victim, intruder } = scene
  const { key } = intruder.tenant
  const naming = { 'X-Tenant-Id': victim.tenant.id, 'X-Management-Key': victim.userId.toString() }
  const fields = {
    tenant_id: victim.tenant.id,
    tenantId: victim.tenant.id,
    account_id: 1,
    user_id: victim.userId,
  }
  return [
    { options: { key, headers: naming, ...(body && { body }) }, outcome: 'own' },
    {
      query: `?tenant_id=${victim.tenant.id}`,
      options: { key, ...(body && { body }) },
      outcome: 'rejected',
    },
    ...(body
      ? [{ options: { key, body: { ...body, ...fields } }, outcome: 'rejected' } as const]
      : []),
    ...bearers(scene).map(
      (bearer): IntruderRequest => ({
        options: { key: bearer, ...(body && { body }) },
        outcome: 'rejected',
      }),
    ),
  ]
}

/** The victim's webhook with every credential of the intruder, and the intruder's own with the victim's ids. */
const ofWebhook = (scene: Scene, body?: Readonly<Record<string, unknown>>): IntruderRequest[] => [
  ...[scene.intruder.tenant.key, scene.intruder.unclaimed.key, ...bearers(scene)].map(
    (key): IntruderRequest => ({
      params: { webhookId: scene.victim.webhook.id },
      options: { key, ...(body && { body }) },
      outcome: 'rejected',
    }),
  ),
  {
    params: { webhookId: scene.intruder.webhook.id },
    query: `?tenant_id=${scene.victim.tenant.id}&webhook_id=${scene.victim.webhook.id}`,
    options: { key: scene.intruder.tenant.key, ...(body && { body }) },
    outcome: 'rejected',
  },
]

/** The victim's host with every credential of the intruder, who has none. */
const ofDomain = (scene: Scene, body?: Readonly<Record<string, unknown>>): IntruderRequest[] =>
  [scene.intruder.tenant.key, scene.intruder.unclaimed.key, ...bearers(scene)].map((key) => ({
    params: { host: 'victim.example.com' },
    options: { key, ...(body && { body }) },
    outcome: 'rejected',
  }))

/** The victim's invitation with every credential of the intruder. */
const ofInvitation = (scene: Scene): IntruderRequest[] =>
  [scene.intruder.tenant.key, scene.intruder.unclaimed.key, ...bearers(scene)].map((key) => ({
    params: { invitationId: scene.victim.invitation.id },
    options: { key },
    outcome: 'rejected',
  }))

/** A provider has no id: only the key says whose it is. */
const ofProvider = (scene: Scene, body?: Readonly<Record<string, unknown>>): IntruderRequest[] =>
  managed(scene, body).map((request) => ({ ...request, params: { provider: 'google' } }))

/** The victim's path with the intruder's token, and the reverse; edge endpoints ignore unknown fields. */
const edge =
  (field: 'access_token' | 'refresh_token', outcome: IntruderRequest['outcome']) =>
  ({ victim, intruder }: Scene): IntruderRequest[] => [
    {
      params: { tenantId: victim.tenant.id },
      options: { body: { [field]: intruder.pair[field] } },
      outcome,
    },
    {
      params: { tenantId: intruder.tenant.id },
      options: { body: { [field]: victim.pair[field] } },
      outcome,
    },
    {
      params: { tenantId: intruder.tenant.id },
      options: { body: { [field]: victim.pair[field], tenant_id: victim.tenant.id } },
      outcome,
    },
  ]

/** Anyone may read it, at the path of its own tenant. */
const publicDocument = ({ victim, intruder }: Scene): IntruderRequest[] => [
  { params: { tenantId: `${intruder.tenant.id}%2f..%2f${victim.tenant.id}` }, outcome: 'rejected' },
  {
    params: { tenantId: intruder.tenant.id },
    query: `?tenant_id=${victim.tenant.id}`,
    outcome: 'own',
  },
]

/** The victim's user in the path, with each credential of the intruder. */
const aboutUser =
  (body?: Readonly<Record<string, unknown>>) =>
  (scene: Scene): IntruderRequest[] => {
    const { victim, intruder } = scene
    const id = String(victim.userId)
    return [intruder.tenant.key, intruder.unclaimed.key, ...bearers(scene)].flatMap(
      (key): IntruderRequest[] =>
        [id, `${id}%20or%201=1`, `${id}%2f..%2f1`].map((path) => ({
          params: { id: path },
          options: { key, ...(body && { body }) },
          outcome: 'rejected',
        })),
    )
  }

const ofIdentity =
  (body?: Readonly<Record<string, unknown>>) =>
  (scene: Scene): IntruderRequest[] =>
    aboutUser(body)(scene).map((request) => ({
      ...request,
      params: { ...request.params, provider: 'google' },
    }))

const CALLBACK = { callback_urls: ['https://intruder.example.com/callback'] }

/** Every endpoint of the contract. A new one does not compile without an entry. */
export const ENDPOINT_REQUESTS: Readonly<Record<EndpointId, (scene: Scene) => IntruderRequest[]>> =
  {
    createGuestTenant: ({ victim }) => [
      { options: { body: { tenant_id: victim.tenant.id } }, outcome: 'rejected' },
    ],
    readStatus: (scene) => managed(scene),
    listAudit: (scene) => managed(scene),
    addDomain: (scene) => managed(scene, { host: 'intruder.example.com' }),
    listDomains: (scene) => managed(scene),
    checkDomain: (scene) => ofDomain(scene, {}),
    deleteDomain: (scene) => ofDomain(scene),
    readBrand: (scene) => managed(scene),
    setBrand: (scene) => managed(scene, { name: 'Intruder' }),
    deleteBrand: (scene) => managed(scene),
    setLogo: (scene) =>
      [scene.intruder.tenant.key, scene.intruder.unclaimed.key, ...bearers(scene)].map((key) => ({
        query: `?tenant_id=${scene.victim.tenant.id}`,
        options: { key, body: scene.victim.tenant.id, headers: { 'Content-Type': 'image/png' } },
        outcome: 'rejected',
      })),
    deleteLogo: (scene) => managed(scene),
    createWebhook: (scene) => managed(scene, { url: 'https://intruder.example.com/hook' }),
    listWebhooks: (scene) => managed(scene),
    readWebhook: (scene) => ofWebhook(scene),
    changeWebhook: (scene) => ofWebhook(scene, { url: 'https://intruder.example.com/hook' }),
    deleteWebhook: (scene) => ofWebhook(scene),
    testWebhook: (scene) => ofWebhook(scene, {}),
    listWebhookDeliveries: (scene) => ofWebhook(scene),
    replayWebhook: (scene) => ofWebhook(scene, { after: 0 }),
    rotateWebhookSecret: (scene) => ofWebhook(scene, {}),
    listProviders: (scene) => managed(scene),
    replaceProvider: (scene) => ofProvider(scene, { mode: 'shared' }),
    testProvider: (scene) =>
      ofProvider(scene, {}).map((request) => ({ ...request, outcome: 'rejected' })),
    removeProvider: (scene) =>
      ofProvider(scene).map((request) => ({ ...request, outcome: 'rejected' })),
    readSettings: (scene) => managed(scene),
    listRefusals: (scene) => managed(scene),
    createInvitation: (scene) => managed(scene, { email: 'intruder@example.com' }),
    listInvitations: (scene) => managed(scene),
    deleteInvitation: (scene) => ofInvitation(scene),
    changeSettings: (scene) => managed(scene, { allowed_emails: ['intruder@example.com'] }),
    bootstrapTenant: ({ victim, intruder }) => [
      {
        options: {
          key: intruder.tokens.access_token,
          body: { confirmed: true, idempotency_key: 'intruding-1', tenant_id: victim.tenant.id },
        },
        outcome: 'rejected',
      },
      {
        options: {
          key: intruder.tenant.key,
          body: { confirmed: true, idempotency_key: 'intruding-2' },
        },
        outcome: 'rejected',
      },
    ],
    // The intruder's own tenant is already claimed, so the valid request is rejected too.
    requestClaim: (scene) => managed(scene).map((request) => ({ ...request, outcome: 'rejected' })),
    waitForClaim: ({ victim, intruder }) => [
      { query: '?timeout=0', options: { key: intruder.claimRequest.wait.token }, outcome: 'own' },
      {
        query: `?timeout=0&tenant_id=${victim.unclaimed.id}`,
        options: { key: intruder.claimRequest.wait.token },
        outcome: 'rejected',
      },
      { query: '?timeout=0', options: { key: intruder.unclaimed.key }, outcome: 'rejected' },
    ],
    provisionSocialLogin: (scene) => managed(scene, CALLBACK),
    // Without the request that succeeds: later requests need the intruder's tokens.
    removeSocialLogin: (scene) => managed(scene).filter(({ outcome }) => outcome === 'rejected'),
    listResources: (scene) => managed(scene),
    provisionResources: (scene) =>
      managed(scene, { resources: ['social-login'], configurations: { 'social-login': CALLBACK } }),
    listUsers: (scene) => [
      ...managed(scene),
      {
        query: `?after=${scene.victim.userId - 1}`,
        options: { key: scene.intruder.tenant.key },
        outcome: 'own',
      },
      ...[
        '?q=person-of',
        '?email=person-of-victim@example.com',
        '?count=true&include=metadata,claims,blocked,identities',
      ].map(
        (query): IntruderRequest => ({
          query,
          options: { key: scene.intruder.tenant.key },
          outcome: 'own',
        }),
      ),
    ],
    getUser: aboutUser(),
    blockUser: aboutUser(),
    unblockUser: aboutUser(),
    readUserMetadata: aboutUser(),
    replaceUserMetadata: aboutUser({ metadata: { owned: true } }),
    replaceUserClaims: aboutUser({ claims: { role: 'intruder' } }),
    deleteUserClaims: aboutUser(),
    mergeUsers: (scene) => [
      ...aboutUser({ from: scene.victim.userId })(scene),
      {
        params: { id: '1' },
        options: { key: scene.intruder.tenant.key, body: { from: scene.victim.userId } },
        outcome: 'rejected',
      },
    ],
    pinUserIdentity: ofIdentity({ pinned: true }),
    removeUserIdentity: ofIdentity(),
    deleteUser: aboutUser(),
    listUserSessions: aboutUser(),
    endUserSessions: aboutUser(),
    endUserSession: (scene) =>
      [scene.intruder.tenant.key, scene.intruder.unclaimed.key, ...bearers(scene)].flatMap(
        (key): IntruderRequest[] =>
          [scene.ids.session, `${scene.ids.session}%20or%201=1`].map((sid) => ({
            params: { sid },
            options: { key },
            outcome: 'rejected',
          })),
      ),
    listRemovals: (scene) => [
      ...managed(scene),
      {
        query: `?after=${scene.victim.userId - 1}`,
        options: { key: scene.intruder.tenant.key },
        outcome: 'own',
      },
    ],
    exportUsers: (scene) => managed(scene),
    importUsers: (scene) =>
      [scene.intruder.tenant.key, scene.intruder.unclaimed.key, ...bearers(scene)].map((key) => ({
        options: {
          key,
          body: JSON.stringify({
            id: scene.victim.userId,
            tenant_id: scene.victim.tenant.id,
            subject: 's',
            email: 'x@y.z',
          }),
          headers: { 'Content-Type': 'application/x-ndjson' },
        },
        outcome: 'own',
      })),
    listEvents: (scene) => [
      ...managed(scene),
      {
        query: `?user_id=${scene.victim.userId}`,
        options: { key: scene.intruder.tenant.key },
        outcome: 'own',
      },
      {
        query: '?after=0&limit=500&wait=0',
        options: { key: scene.intruder.tenant.key },
        outcome: 'own',
      },
    ],
    createTestSession: (scene) => managed(scene, { email: 'intruder@example.com' }),
    // Without the request that succeeds, as above.
    deleteUsers: (scene) => managed(scene).filter(({ outcome }) => outcome === 'rejected'),
    // The intruder's own tenant has an owner, so the valid request is rejected too.
    setTestStatus: (scene) =>
      managed(scene, { status: 'expired' }).map((request) => ({ ...request, outcome: 'rejected' })),
    readObservability: (scene) => managed(scene),
    readInsights: ({ victim, intruder }) => [
      { options: { key: intruder.tenant.key }, outcome: 'rejected' },
      { options: { key: intruder.tokens.access_token }, outcome: 'rejected' },
      {
        options: {
          headers: {
            Cookie: `gatehouse_account=${victim.tenant.key.padEnd(43, 'x').slice(0, 43)}`,
          },
        },
        outcome: 'rejected',
      },
    ],
    leaveFeedback: (scene) => managed(scene, { feedback: 'from the intruder' }),
    describeDiscountReport: () => [{ outcome: 'own' }],
    reportForDiscount: (scene) =>
      managed(scene, { user_authorized: true }).map((request) => ({
        ...request,
        outcome: 'rejected',
      })),
    startProviderLogin: ({ victim, intruder }) => [
      {
        params: { tenantId: victim.tenant.id, provider: 'github' },
        query: '?redirect_uri=https://intruder.example.com/callback',
        outcome: 'rejected',
        mayDisclose: ['victim.example.com'],
      },
      // The victim's provider is not one of the intruder's.
      { params: { tenantId: intruder.tenant.id, provider: 'oidc-of-victim' }, outcome: 'rejected' },
    ],
    listLoginProviders: publicDocument,
    startLogin: ({ victim, intruder }) => [
      {
        params: { tenantId: victim.tenant.id },
        query: '?redirect_uri=https://intruder.example.com/callback',
        outcome: 'rejected',
        // `invalidRedirectUri` names the closest registered URL.
        mayDisclose: ['victim.example.com'],
      },
      {
        params: { tenantId: intruder.tenant.id },
        query: '?redirect_uri=https://victim.example.com/callback',
        outcome: 'rejected',
        mayDisclose: ['victim.example.com'],
      },
      {
        params: { tenantId: intruder.tenant.id },
        query: new URL(victim.invitation.url).search,
        outcome: 'rejected',
      },
      {
        params: { tenantId: `${intruder.tenant.id}%2f..%2f${victim.tenant.id}` },
        outcome: 'rejected',
      },
    ],
    // Not the victim's code at the victim's own path: a wrong verifier is counted there (login/code-callback.test.ts).
    exchangeLoginCode: ({ victim, intruder, codes }) =>
      [
        { tenantId: victim.tenant.id, login: codes.intruder },
        { tenantId: intruder.tenant.id, login: codes.victim },
        {
          tenantId: intruder.tenant.id,
          login: { ...codes.victim, verifier: codes.intruder.verifier },
        },
      ].map(({ tenantId, login }) => ({
        params: { tenantId },
        options: {
          body: { code: login.code, code_verifier: login.verifier, tenant_id: victim.tenant.id },
        },
        outcome: 'rejected',
      })),
    verifyAccessToken: edge('access_token', 'own'),
    refreshSession: edge('refresh_token', 'rejected'),
    logOut: edge('refresh_token', 'own'),
    linkIdentity: (scene) =>
      edge(
        'access_token',
        'rejected',
      )(scene).map((request) => ({
        ...request,
        options: {
          ...request.options,
          body: { ...(request.options?.body as object), provider: 'google' },
        },
      })),
    createIdToken: edge('access_token', 'rejected'),
    readOpenIdConfiguration: publicDocument,
    readJwks: publicDocument,
    openEdgeSession: ({ intruder }) => [
      { query: `?key=${intruder.tenant.key}`, outcome: 'rejected' },
      { query: `?key=${intruder.tenant.applicationKey}`, outcome: 'own' },
    ],
    readEdgeSession: ({ victim, intruder }) => [
      {
        query: `?tenant_id=${victim.tenant.id}`,
        options: { key: intruder.edgeToken },
        outcome: 'own',
      },
      { options: { key: intruder.tenant.applicationKey }, outcome: 'rejected' },
    ],
  }

export interface IntruderToolCall {
  readonly caller: 'public' | 'account'
  readonly args: Readonly<Record<string, unknown>>
}

/** The victim's tenant id with each credential of the intruder, with and without OAuth. */
const naming =
  (extra: Readonly<Record<string, unknown>> = {}) =>
  ({ victim, intruder }: Scene): IntruderToolCall[] =>
    [victim.tenant, victim.unclaimed].flatMap(({ id: tenant_id }): IntruderToolCall[] => [
      { caller: 'account', args: { ...extra, tenant_id } },
      { caller: 'account', args: { ...extra, tenant_id, coh_management_key: intruder.tenant.key } },
      { caller: 'public', args: { ...extra, tenant_id, coh_management_key: intruder.tenant.key } },
      {
        caller: 'public',
        args: { ...extra, tenant_id, coh_management_key: intruder.tenant.applicationKey },
      },
      {
        caller: 'public',
        args: { ...extra, tenant_id, coh_management_key: intruder.tokens.access_token },
      },
      { caller: 'public', args: { ...extra, tenant_id } },
    ])

const provisioning = { confirmed: true, resource: 'social-login', configuration: CALLBACK }

/** Every tool. A new one does not compile without an entry. All of these requests are rejected. */
export const TOOL_CALLS: Readonly<Record<ToolName, (scene: Scene) => IntruderToolCall[]>> = {
  get_service_documentation: () => [],
  create_tenant: naming({ confirmed: true, idempotency_key: 'intruding-3' }),
  claim_tenant: naming({ confirmed: true }),
  tenant_status: naming(),
  provision_resource: naming(provisioning),
  give_feedback: naming({ feedback: 'from the intruder' }),
}

type OAuthId = (typeof OAUTH_ENDPOINTS)[number]['id']

/** Token requests about another client's grant. The responses are those for an unknown grant. */
export const TOKEN_REQUESTS: Readonly<
  Record<'exchangeToken' | 'revokeToken', (scene: Scene) => Parameters[]>
> = {
  exchangeToken: ({ victim, intruder }) => [
    {
      grant_type: 'refresh_token',
      refresh_token: victim.tokens.refresh_token,
      client_id: intruder.client.id,
    },
    {
      grant_type: 'refresh_token',
      refresh_token: victim.tokens.access_token,
      client_id: intruder.client.id,
    },
  ],
  revokeToken: ({ victim, intruder }) => [
    { token: victim.tokens.access_token, client_id: intruder.client.id },
    {
      token: victim.tokens.refresh_token,
      client_id: intruder.client.id,
      token_type_hint: 'refresh_token',
    },
  ],
}

/** OAuth endpoints without a parameter that could name a grant. */
export const WITHOUT_GRANTS: readonly OAuthId[] = [
  ...(['registerClient', 'authorize', 'readProtectedResource', 'readAuthorizationServer'] as const),
]

/** Every page of an account, and of the victim's project. */
export const PAGES: readonly string[] = [
  '/account',
  '/account/new-project',
  '/account/insights/data',
  '/account/deletions/:tenantId',
  ...[
    ...[
      '',
      '/activity',
      '/users',
      '/users/:userId',
      '/sessions',
      '/keys',
      '/keys/new',
      '/keys/file',
      '/danger',
    ],
    ...['', '/callbacks', '/access', '/pages', '/providers', '/tokens', '/webhooks'].map(
      (page) => `/settings${page}`,
    ),
    ...['/settings/webhooks/:webhookId', '/settings/clients/:provider'],
  ].map((page) => `/account/projects/:tenantId${page}`),
]

type Fields = Readonly<Record<string, string>>

/** Every form of an account, posted for the victim's project, with its fields. */
export const FORMS: Readonly<Record<string, (scene: Scene) => Fields>> = {
  '/account/new-project': () => ({}),
  '/account/sign-in': () => ({}),
  '/account/sign-out': () => ({}),
  '/account/sign-out-everywhere': () => ({}),
  '/account/sessions/end': ({ ids }) => ({ session: ids.accountSession }),
  '/account/agents/revoke': ({ ids }) => ({ grant: ids.grant }),
  ...ofProject({
    '/users/export': () => ({ format: 'csv' }),
    '/users/:userId/end-sessions': () => ({}),
    '/users/:userId/merge': () => ({ from: '2', confirm: 'yes' }),
    '/users/:userId/remove-identity': () => ({ provider: 'google' }),
    '/users/:userId/pin-identity': () => ({ provider: 'google', pinned: 'true' }),
    '/users/:userId/block': () => ({}),
    '/users/:userId/unblock': () => ({}),
    '/users/:userId/metadata': () => ({ metadata: '{}', etag: '*' }),
    '/users/:userId/claims': () => ({ claims: '{"role":"intruder"}', end_sessions: 'yes' }),
    '/users/:userId/delete': () => ({ confirm: 'yes' }),
    '/sessions/end': ({ ids }) => ({ session: ids.session }),
    '/keys/replace': () => ({ generation: '0' }),
    '/danger/delete': ({ victim }) => ({ confirm: victim.tenant.id }),
    '/settings/name': () => ({ name: 'Stolen' }),
    '/settings/callbacks': () => ({ callback_urls: 'https://intruder.example.com/callback' }),
    '/settings/access': () => ({ allowed_domains: 'intruder.example.com', allowed_emails: '' }),
    '/settings/access/invitations': () => ({
      email: 'intruder@example.com',
      uses: '1',
      expires_in: '7',
    }),
    '/settings/access/invitations/delete': ({ victim }) => ({ invitation: victim.invitation.id }),
    '/settings/tokens': () => ({ callback_mode: 'code', refresh_leeway_seconds: '10' }),
    '/settings/tokens/preset': () => ({ audience: 'neon' }),
    '/settings/tokens/id-tokens': () => ({ audiences: 'intruder', claims: '{}' }),
    '/settings/tokens/id-tokens/off': () => ({}),
    '/settings/pages/consent': () => ({ remember_consent: 'yes' }),
    '/settings/pages/brand': () => ({ name: 'Intruder' }),
    '/settings/pages/brand/delete': () => ({}),
    '/settings/pages/logo': () => ({}),
    '/settings/pages/logo/delete': () => ({}),
    '/settings/pages/domains': () => ({ host: 'intruder.example.com' }),
    '/settings/pages/domains/check': () => ({ host: 'app.example.com' }),
    '/settings/pages/domains/delete': () => ({ host: 'app.example.com' }),
    '/settings/providers/test': () => ({ provider: 'oidc-of-victim' }),
    '/settings/providers/share': () => ({ provider: 'github' }),
    '/settings/providers/remove': () => ({ provider: 'oidc-of-victim' }),
    '/settings/clients/:provider': () => ({
      client_id: 'intruder',
      client_secret: 'secret-of-the-intruder',
    }),
    '/settings/webhooks': () => ({
      url: 'https://intruder.example.com/hook',
      event_authorize: 'yes',
    }),
    '/settings/webhooks/:webhookId/change': () => ({
      url: 'https://intruder.example.com/hook',
      event_logout: 'yes',
    }),
    '/settings/webhooks/:webhookId/status': () => ({ status: 'disabled' }),
    '/settings/webhooks/:webhookId/test': () => ({}),
    '/settings/webhooks/:webhookId/rotate': () => ({}),
    '/settings/webhooks/:webhookId/replay': () => ({ after: '0' }),
    '/settings/webhooks/:webhookId/delete': () => ({}),
  }),
}

function ofProject(forms: Readonly<Record<string, (scene: Scene) => Fields>>): typeof FORMS {
  return Object.fromEntries(
    Object.entries(forms).map(([path, fields]) => [`/account/projects/:tenantId${path}`, fields]),
  )
}
