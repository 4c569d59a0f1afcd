import type { EndpointId } from '@gatehouse-auth/contract'
import type { SecuritySchemeName } from '../openapi/types.ts'

/** The call of each operation with the SDK, on the `client` or the `management` of the API's front page. */
export const SDK_EXAMPLES: Readonly<Partial<Record<EndpointId, string>>> = {
  listAudit: 'const actions = await management.audit.list({ limit: 100 })',
  readSettings: 'const settings = await management.settings.get()',
  changeSettings:
    "const settings = await management.settings.change({ allowed_domains: ['example.com'] })",
  listEvents: "const events = await management.events.list({ event: 'authorize', limit: 100 })",
  listRefusals: 'const refusals = await management.refusals.list()',
  listUsers: "for await (const user of management.users.all({ q: 'ada' })) console.log(user.email)",
  getUser: 'const user = await management.users.get(1)',
  blockUser: 'const user = await management.users.block(1)',
  unblockUser: 'const user = await management.users.unblock(1)',
  readUserMetadata: 'const { metadata, etag } = await management.users.metadata(1)',
  replaceUserMetadata: [
    'const { metadata, etag } = await management.users.metadata(1)',
    "await management.users.setMetadata(1, { ...metadata, plan: 'pro' }, { ifMatch: etag })",
  ].join('\n'),
  replaceUserClaims: "await management.users.setClaims(1, { role: 'admin' })",
  deleteUserClaims: 'await management.users.deleteClaims(1)',
  mergeUsers: 'const user = await management.users.merge(1, 2)',
  pinUserIdentity: "const user = await management.users.pinIdentity(1, 'google', true)",
  removeUserIdentity: "const user = await management.users.removeIdentity(1, 'github')",
  deleteUser: 'await management.users.delete(1)',
  listUserSessions: 'const sessions = await management.users.sessions(1)',
  endUserSessions: 'const ended = await management.users.endSessions(1)',
  endUserSession: 'await management.users.endSession(7)',
  exportUsers: [
    "const { body } = await management.users.export({ format: 'csv' })",
    "await writeFile('users.csv', body)",
  ].join('\n'),
  importUsers:
    "const report = await management.users.import(await readFile('users.ndjson', 'utf8'))",
  createWebhook: [
    'const { webhook, secret } = await management.webhooks.create({',
    "  url: 'https://app.example.com/webhooks/gatehouse',",
    '})',
  ].join('\n'),
  listWebhooks: 'const webhooks = await management.webhooks.list()',
  readWebhook: 'const webhook = await management.webhooks.get(id)',
  changeWebhook:
    "const webhook = await management.webhooks.change(id, { events: ['social_login.authorize', 'user.deleted'] })",
  deleteWebhook: 'await management.webhooks.delete(id)',
  rotateWebhookSecret: 'const { secret } = await management.webhooks.rotate(id)',
  testWebhook: 'const { delivered, status } = await management.webhooks.test(id)',
  listWebhookDeliveries: 'const deliveries = await management.webhooks.deliveries(id)',
  replayWebhook: 'const webhook = await management.webhooks.replay(id, { after: 120 })',
  startLogin: "const response = await startLogin(request, { client, returnTo: '/settings' })",
  startProviderLogin: "const response = await startLogin(request, { client, provider: 'github' })",
  exchangeLoginCode: 'const response = await handleCallback(request, { client })',
  verifyAccessToken: 'const { valid, user } = await client.verify(accessToken)',
  linkIdentity: [
    'const session = await client.session(request)',
    "if (session.user) return Response.redirect(await session.link('github'))",
  ].join('\n'),
  refreshSession: [
    'const pair = await client.refresh(refreshToken)',
    'await save(pair.accessToken, pair.refreshToken)',
  ].join('\n'),
  logOut: 'await client.logout(refreshToken)',
  listLoginProviders: 'const providers = await client.providers()',
  createTestSession:
    "const { user, tokens } = await createTestSession(service, { email: 'ada@example.com' })",
  deleteUsers: 'await deleteUsers(service)',
}

/** The command of operations that an app never calls itself, after the name of the program. */
export const COMMAND_EXAMPLES: Readonly<Partial<Record<EndpointId, string>>> = {
  createGuestTenant: 'init',
  readStatus: 'status',
  requestClaim: 'claim',
  provisionSocialLogin: 'provision http://localhost:3000/auth/callback',
  listProviders: 'providers',
  leaveFeedback: "feedback 'The quick start worked the first time.'",
}

export interface CredentialExample {
  readonly text: string
  readonly curl: string
}

/** A management key is read from `.service`, so it isn't in the shell history. */
export const CREDENTIAL_EXAMPLES: Readonly<Record<SecuritySchemeName, CredentialExample>> = {
  managementKey: {
    text: 'the management key, as `Authorization: Bearer svc_man_…`',
    curl: `-H "Authorization: Bearer $(sed -n 's/^coh_management_key=//p' .service)"`,
  },
  edgeSession: {
    text: 'an edge token, as `Authorization: Bearer svc_es_…`',
    curl: '-H "Authorization: Bearer $EDGE_TOKEN"',
  },
  waitToken: {
    text: 'the wait token, as `Authorization: Bearer svc_wt_…`',
    curl: '-H "Authorization: Bearer $WAIT_TOKEN"',
  },
  accountSession: {
    text: 'the session cookie of `/account`, in the owner’s browser',
    curl: '-b "gatehouse_account=$SESSION_COOKIE"',
  },
  oauth: {
    text: 'an OAuth access token, as `Authorization: Bearer mcp_at_…`',
    curl: '-H "Authorization: Bearer $ACCESS_TOKEN"',
  },
}
