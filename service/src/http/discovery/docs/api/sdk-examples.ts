import type { EndpointId } from '@gatehouse/contract'

/** The call of each operation with the SDK, on the `client` or the `management` of the API's front page. */
export const SDK_EXAMPLES: Readonly<Partial<Record<EndpointId, string>>> = {
  listAudit: 'const actions = await management.audit.list({ limit: 100 })',
  readSettings: 'const settings = await management.settings.get()',
  changeSettings: "const settings = await management.settings.change({ allowed_domains: ['example.com'] })",
  listEvents: "const events = await management.events.list({ event: 'authorize', limit: 100 })",
  listRefusals: 'const refusals = await management.refusals.list()',
  listUsers: "for await (const user of management.users.all({ q: 'ada' })) console.log(user.email)",
  getUser: 'const user = await management.users.get(1)',
  blockUser: 'const user = await management.users.block(1)',
  unblockUser: 'const user = await management.users.unblock(1)',
  readUserMetadata: 'const { metadata, etag } = await management.users.metadata(1)',
  replaceUserMetadata: `const { metadata, etag } = await management.users.metadata(1)
await management.users.setMetadata(1, { ...metadata, plan: 'pro' }, { ifMatch: etag })`,
  deleteUser: 'await management.users.delete(1)',
  listUserSessions: 'const sessions = await management.users.sessions(1)',
  endUserSessions: 'const ended = await management.users.endSessions(1)',
  endUserSession: 'await management.users.endSession(7)',
  exportUsers: `const { body } = await management.users.export({ format: 'csv' })
await writeFile('users.csv', body)`,
  importUsers: "const report = await management.users.import(await readFile('users.ndjson', 'utf8'))",
  createWebhook: `const { webhook, secret } = await management.webhooks.create({
  url: 'https://app.example.com/webhooks/gatehouse',
})`,
  listWebhooks: 'const webhooks = await management.webhooks.list()',
  readWebhook: 'const webhook = await management.webhooks.get(id)',
  changeWebhook: "const webhook = await management.webhooks.change(id, { events: ['authorize'] })",
  deleteWebhook: 'await management.webhooks.delete(id)',
  rotateWebhookSecret: 'const { secret } = await management.webhooks.rotate(id)',
  testWebhook: 'const { delivered, status } = await management.webhooks.test(id)',
  listWebhookDeliveries: 'const deliveries = await management.webhooks.deliveries(id)',
  replayWebhook: 'const webhook = await management.webhooks.replay(id, { after: 120 })',
  startLogin: "const response = await startLogin(request, { client, returnTo: '/settings' })",
  startProviderLogin: "const response = await startLogin(request, { client, provider: 'github' })",
  exchangeLoginCode: 'const response = await handleCallback(request, { client })',
  verifyAccessToken: 'const { valid, user } = await client.verify(accessToken)',
  refreshSession: `const pair = await client.refresh(refreshToken)
await save(pair.accessToken, pair.refreshToken)`,
  logOut: 'await client.logout(refreshToken)',
  listLoginProviders: 'const providers = await client.providers()',
  createTestSession: "const { user, tokens } = await createTestSession(service, { email: 'ada@example.com' })",
  deleteUsers: 'await deleteUsers(service)',
}

/** The same with the command line, for operations that an app never calls itself. */
const COMMANDS: Readonly<Partial<Record<EndpointId, string>>> = {
  createGuestTenant: 'init',
  readStatus: 'status',
  requestClaim: 'claim',
  provisionSocialLogin: 'provision http://localhost:3000/auth/callback',
  listProviders: 'providers',
  leaveFeedback: "feedback 'The quick start worked the first time.'",
}

/** The example as a code block; undefined if neither the SDK nor the command line has the operation. */
export function sdkExample(operationId: string, baseUrl: string): string | undefined {
  const code = SDK_EXAMPLES[operationId as EndpointId]
  if (code !== undefined) return `\`\`\`js title=SDK\n${code}\n\`\`\``
  const command = COMMANDS[operationId as EndpointId]
  return command && `\`\`\`sh title=command-line\nnpx ${baseUrl}/packages/local.tgz ${command}\n\`\`\``
}
