import assert from 'node:assert/strict'
import { mePaths } from '../../../src/http/me/paths.ts'
import { blockHost } from '../../../src/operations/tenants/blocked-hosts.ts'
import { signInToAccount } from '../actors/account.ts'
import { type ApiResponse, CALLBACK, type Tenant } from '../actors/agent.ts'
import type { Browser } from '../actors/browser.ts'
import { claim, requestClaim } from '../actors/claim.ts'
import { codeQuery, newVerifier, signInForCode } from '../actors/login-code.ts'
import { RawMcpClient, toolResult } from '../actors/mcp.ts'
import { openMe, pressOnMe } from '../actors/me.ts'
import { OAuthClient } from '../actors/oauth-client.ts'
import { OpenIdApp } from '../actors/openid-app.ts'
import { addWebhook } from '../actors/webhooks.ts'
import { squarePng } from '../png.ts'
import type { receiver } from '../webhook-receiver.ts'
import type { World } from '../world.ts'

/** What users, apps, owners and agents hold after `leaveEverything`, as JSON. */
export type Left = Awaited<ReturnType<typeof leaveEverything>>

/** Read with the management key. What they return must stay: later versions may add fields. */
const PATHS = [
  '/api/status',
  '/api/resources',
  '/api/social-login/users?include=metadata,claims,blocked,identities',
  '/api/social-login/users/1/sessions',
  '/api/social-login/events?limit=500',
  '/api/social-login/settings',
  '/api/social-login/providers',
  '/api/social-login/invitations',
  '/api/social-login/removals',
  '/api/social-login/refusals',
  '/api/social-login/brand',
  '/api/domains',
  '/api/webhooks',
  '/api/audit',
]

/**
 * Fills every table by operations of users, apps, owners, agents and the operator, and returns what they hold. What lives for
 * a minute comes last: the clock doesn't advance after it.
 */
export async function leaveEverything(
  service: World,
  records: Map<string, string[][]>,
  hook: Awaited<ReturnType<typeof receiver>>,
) {
  const { agent, app, baseUrl, browser, clock } = service
  const tenant = await agent.createTenant()
  const manage = (...call: Parameters<Tenant['manage']>) => ok(tenant.manage(...call))
  const owner = browser()
  await claim(tenant, owner, 'Grace Hopper')
  await manage('PATCH', '/api/social-login/settings', {
    remember_consent: true,
    id_tokens: { audiences: ['a-database'] },
    first_user_claims: { role: 'admin' },
  })
  await manage('PUT', '/api/social-login/providers/github', { mode: 'shared' })
  await leaveBrand(agent, tenant, records)

  const { path: webhook } = await addWebhook(tenant, hook.url, [
    'user.created',
    'social_login.authorize',
  ])
  await tenant.signIn(browser())
  await app.deliver()
  hook.answer = 500
  await tenant.signIn(browser(), 'Alan Turing')
  await app.deliver()
  // A day that is over is tallied.
  clock.advance({ days: 1 })
  await app.sweep()

  const rotated = await tenant.signIn(browser())
  const current = await tenant.refresh(rotated.refresh_token)
  const ended = await tenant.signIn(browser(), 'Alan Turing')
  await ok(tenant.edge('logout', { refresh_token: ended.refresh_token }))
  await manage('PUT', '/api/social-login/users/1/metadata', { metadata: { plan: 'pro' } })
  await manage('PUT', '/api/social-login/users/2/claims', { claims: { role: 'editor' } })
  for (const subject of ['one', 'two']) {
    await manage('POST', '/api/social-login/test-sessions', {
      email: `${subject}@example.com`,
      subject,
    })
  }
  await manage('POST', '/api/social-login/users/3/merge', { from: 4 })
  const invitation = await manage('POST', '/api/social-login/invitations', {
    email: 'edsger@example.com',
  })
  await ok(
    agent.call('POST', '/api/feedback/service', {
      key: tenant.key,
      body: { feedback: 'It works.' },
    }),
  )
  await blockHost(app.ctx, 'evil.example', 'Phishing.')
  await browser().open(
    `${tenant.loginUrl}?redirect_uri=${encodeURIComponent('https://wrong.example/callback')}`,
  )
  const person = await openMe(browser(), baseUrl, 'Alan Turing')
  await pressOnMe(person, mePaths.remove, tenant.id)

  const guest = await agent.createTenant()
  const guestPair = await guest.signIn(browser())
  const guestClaim = await requestClaim(guest)
  const client = await OAuthClient.register(service)
  const agentsOwner = browser()
  const oauth = await client.connect(agentsOwner)
  const creation = { confirmed: true, idempotency_key: 'a-creation-to-be-repeated' }
  const byAgent = await toolResult(
    new RawMcpClient(agent).call('create_tenant', creation, { token: oauth.access_token }),
  )
  const consenting = browser()
  await consenting.open(tenant.loginUrl + codeQuery(newVerifier()))
  await consenting.press('Ada Lovelace')
  await consenting.press('Continue')

  clock.advance({ minutes: 1 })
  const loginCode = await signInForCode(tenant, browser(), 'Alan Turing')
  const oauthCode = await client.code(browser())
  await client.open(browser())
  await browser().open(tenant.loginUrl)
  const signingIn = browser()
  await signingIn.open(`${baseUrl}/account`)
  await signingIn.press('Sign in with Google')
  await signInToAccount(baseUrl, browser(), 'Ada Lovelace')
  const edgeSession = await ok(agent.call('POST', `/edge/session?key=${tenant.applicationKey}`))
  const openIdApp = new OpenIdApp(service, tenant)
  const openId = await openIdApp.signIn(browser(), 'Grace Hopper')
  await app.flush()

  return {
    now: clock.now(),
    tenant: tenant.created,
    current,
    rotated: { access_token: rotated.access_token, refresh_token: rotated.refresh_token },
    ended: { access_token: ended.access_token, refresh_token: ended.refresh_token },
    webhook,
    invitationUrl: String(invitation.json.invitation.url),
    guest: guest.created,
    guestPair: { access_token: guestPair.access_token, refresh_token: guestPair.refresh_token },
    guestClaim,
    oauth: { id: client.id, tokens: oauth, code: { code: oauthCode, verifier: client.verifier } },
    byAgent: {
      creation,
      id: String(byAgent.tenant_id),
      file: String(byAgent.credentials_file.content),
    },
    loginCode: { code: loginCode.code, verifier: loginCode.verifier },
    edgeSession: String(edgeSession.json.token),
    openId: {
      idToken: String(openId.tokens.id_token),
      refreshToken: String(openId.tokens.refresh_token),
    },
    cookies: {
      owner: cookiesOf(owner),
      agentsOwner: cookiesOf(agentsOwner),
      person: cookiesOf(person),
      consenting: cookiesOf(consenting),
    },
    answers: await answersOf(tenant, webhook),
  }
}

/** What the project answers its owner, and what it publishes about itself. */
export async function answersOf(
  tenant: Tenant,
  webhook: string,
): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {}
  for (const path of [...PATHS, webhook, `${webhook}/deliveries`]) {
    answers[path] = (await ok(tenant.manage('GET', path))).json
  }
  const keys = `/edge/auth/${tenant.id}/.well-known/jwks.json`
  answers[keys] = (await ok(tenant.manage('GET', keys))).json
  return answers
}

async function leaveBrand(
  agent: World['agent'],
  tenant: Tenant,
  records: Map<string, string[][]>,
): Promise<void> {
  const host = new URL(CALLBACK).host
  const { dns } = (await ok(tenant.manage('POST', '/api/domains', { host }))).json.domain
  records.set(dns.name, [[dns.value]])
  await ok(tenant.manage('POST', `/api/domains/${host}/check`))
  await ok(tenant.manage('PUT', '/api/social-login/brand', { name: 'Notes' }))
  await ok(
    agent.call('PUT', '/api/social-login/brand/logo', {
      key: tenant.key,
      body: squarePng(64),
      headers: { 'Content-Type': 'image/png' },
    }),
  )
}

async function ok(call: Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await call
  assert.ok(response.status < 300, response.text)
  return response
}

const cookiesOf = ({ cookies }: Browser): string[] =>
  cookies
    .list()
    .map(
      ({ name, value, path, secure }) =>
        `${name}=${value}; Path=${path}${secure ? '; Secure' : ''}`,
    )
