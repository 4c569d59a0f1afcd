import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Pair, Tenant } from '../support/actors/agent.ts'
import type { Browser } from '../support/actors/browser.ts'
import { type ClaimRequest, claim, requestClaim } from '../support/actors/claim.ts'
import { type CodeLogin, codeQuery, newVerifier } from '../support/actors/login-code.ts'
import { OAuthClient, type Tokens } from '../support/actors/oauth-client.ts'
import { everyRow, type Rows } from '../support/postgres/database-rows.ts'
import type { Engine } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

/** The tenants and credentials of one owner. */
export interface Side {
  /** Claimed by the owner. */
  readonly tenant: Tenant
  /** A guest with a pending claim. */
  readonly unclaimed: Tenant
  readonly claimRequest: ClaimRequest
  readonly pair: Pair
  readonly userId: number
  readonly edgeToken: string
  readonly webhook: { readonly id: string; readonly secret: string }
  readonly invitation: { readonly id: string; readonly url: string }
  /** The owner's browser, signed in to the account. */
  readonly browser: Browser
  readonly client: OAuthClient
  readonly tokens: Tokens
}

export interface Scene {
  readonly service: World
  readonly victim: Side
  readonly intruder: Side
  /** Of logins whose callbacks are not opened yet. */
  readonly codes: { readonly victim: CodeLogin; readonly intruder: CodeLogin }
  /** Row ids in the forms of the victim's pages. */
  readonly ids: {
    readonly accountSession: string
    readonly session: string
    readonly grant: string
  }
  /** Values that only the victim may read. */
  readonly canaries: readonly string[]
  victimsRows(): Promise<Rows>
}

export async function isolationScene(t: TestContext, engine: Engine): Promise<Scene> {
  const service = await world(t, { engine })
  const victim = await sideOf(service, 'victim', 'Ada Lovelace')
  const intruder = await sideOf(service, 'intruder', 'Grace Hopper')
  const user = (await victim.tenant.users()).at(-1)
  assert.deepEqual(
    [user?.email, victim.userId, intruder.userId],
    ['person-of-victim@example.com', 2, 1],
  )
  service.clock.advance({ minutes: 1 })
  const codes = {
    victim: await codeFor(service, victim, 'person-of-victim@example.com'),
    intruder: await codeFor(service, intruder, 'person-of-intruder@example.com'),
  }
  const victimsRows = async (): Promise<Rows> => {
    await service.app.flush()
    return belongingTo(await everyRow(service), victim)
  }
  const rows = await victimsRows()
  const idIn = (table: string): string => String(rows[table]?.[0]?.id)
  return {
    service,
    victim,
    intruder,
    codes,
    victimsRows,
    ids: {
      accountSession: idIn('account_sessions'),
      session: idIn('sessions'),
      grant: idIn('oauth_grants'),
    },
    canaries: [
      ...['ada@example.com', 'person-of-victim', 'victim.example.com', 'feedback of victim'],
      ...[
        'allowed-by-victim',
        'invited-by-victim',
        'note-of-victim',
        'refused-of-victim',
        'Brand of victim',
      ],
      ...['audience-of-victim', 'claim-of-victim'],
      ...['client-of-victim', 'provider-secret-of-victim', 'provider-of-victim'],
      ...[victim.tenant.key, victim.tenant.applicationKey, victim.unclaimed.key, victim.edgeToken],
      ...[victim.pair.access_token, victim.pair.refresh_token, victim.claimRequest.wait.token],
      ...[victim.claimRequest.approval_url, victim.claimRequest.confirmation_code],
      ...[
        victim.tokens.access_token,
        victim.tokens.refresh_token,
        victim.webhook.id,
        victim.webhook.secret,
      ],
      ...[victim.invitation.id, victim.invitation.url],
      ...[codes.victim.code, codes.victim.verifier],
    ],
  }
}

async function sideOf(service: World, name: string, owner: string): Promise<Side> {
  const { agent, clock } = service
  const callbacks = [`https://${name}.example.com/callback`]
  const [tenant, unclaimed] = [
    await agent.createTenant(callbacks),
    await agent.createTenant(callbacks),
  ]
  // User ids count per tenant: the victim's has an id that the intruder's tenant does not have.
  if (name === 'victim') {
    await signInAs(service, tenant, `first-of-${name}@example.com`)
  }
  const pair = await signInAs(service, tenant, `person-of-${name}@example.com`)
  const browser = service.browser()
  await claim(tenant, browser, owner)
  const user = (await tenant.users()).at(-1)
  const { resources, removals } = service.app.ctx.stores
  const resourceId = (await resources.findActive(tenant.id))?.id ?? 0
  const userId = user?.id ?? 0
  await removals.add({
    tenantId: tenant.id,
    resourceId,
    userId,
    requestedAt: clock.now(),
    requestId: 'req_1',
  })
  clock.advance({ minutes: 1 })
  const feedback = await tenant.manage('POST', '/api/feedback/service', {
    feedback: `the feedback of ${name}`,
  })
  assert.equal(feedback.status, 200, feedback.text)
  const client = await OAuthClient.register(service)
  const tokens = await client.connect(browser, {}, owner)
  const claimRequest = await requestClaim(unclaimed)
  const url = `https://${name}.example.com/webhooks`
  const webhook = await tenant.manage('POST', '/api/webhooks', { url })
  assert.equal(webhook.status, 201, webhook.text)
  const email = `invited-by-${name}@example.com`
  const invitation = await tenant.manage('POST', '/api/social-login/invitations', { email })
  assert.equal(invitation.status, 201, invitation.text)
  await fillManagement(service, tenant, name, user?.id ?? 0)
  const edge = await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)
  return {
    tenant,
    unclaimed,
    claimRequest,
    pair,
    userId,
    edgeToken: edge.json.token,
    webhook: { id: webhook.json.webhook.id, secret: webhook.json.secret },
    invitation: invitation.json.invitation,
    browser,
    client,
    tokens,
  }
}

/** What only the management API of this side shows: settings, metadata of a user, a provider, a refused sign-in. */
async function fillManagement(
  { browser }: World,
  tenant: Tenant,
  name: string,
  userId: number,
): Promise<void> {
  const settings = {
    allowed_emails: [`allowed-by-${name}@example.com`, `person-of-${name}@example.com`],
    id_tokens: {
      audiences: ['shared', `audience-of-${name}`],
      claims: { team: `claim-of-${name}` },
    },
  }
  const answers = [
    await tenant.manage('PATCH', '/api/social-login/settings', settings),
    await tenant.manage('PUT', '/api/social-login/brand', { name: `Brand of ${name}` }),
    await tenant.manage('POST', '/api/domains', { host: `${name}.example.com` }),
    await tenant.manage('PUT', `/api/social-login/users/${userId}/metadata`, {
      metadata: { note: `note-of-${name}` },
    }),
    await tenant.manage('PUT', `/api/social-login/providers/oidc-of-${name}`, {
      issuer: `https://login.${name}.example.com`,
      client_id: `client-of-${name}`,
      client_secret: `provider-secret-of-${name}`,
      display_name: `provider-of-${name}`,
    }),
  ]
  for (const { status, text } of answers) {
    assert.equal(status, 200, text)
  }
  await browser().open(
    `${tenant.loginUrl}?redirect_uri=https://${name}.example.com/refused-of-${name}`,
  )
  const { text } = await tenant.manage('GET', '/api/social-login/refusals')
  assert.ok(text.includes(`refused-of-${name}`), text)
}

/** Signs in a user whose email address names the tenant's side. */
async function signInAs({ browser, clock }: World, tenant: Tenant, email: string): Promise<Pair> {
  clock.advance({ minutes: 1 })
  const userBrowser = browser()
  await userBrowser.open(tenant.loginUrl)
  await userBrowser.press('Continue', { email, name: 'Sample User' })
  const { searchParams } = await userBrowser.press('Continue')
  return {
    access_token: searchParams.get('access_token') ?? '',
    refresh_token: searchParams.get('refresh_token') ?? '',
  }
}

/** The clock stays: a code is valid for a minute. */
async function codeFor({ browser }: World, { tenant }: Side, email: string): Promise<CodeLogin> {
  const verifier = newVerifier()
  const userBrowser = browser()
  await userBrowser.open(tenant.loginUrl + codeQuery(verifier))
  await userBrowser.press('Continue', { email, name: 'Sample User' })
  const callbackUrl = await userBrowser.press('Continue')
  return { code: callbackUrl.searchParams.get('code') ?? '', verifier, callbackUrl }
}

/** The rows of every table that belong to the victim's tenants, account or grants. */
function belongingTo(rows: Rows, { tenant, unclaimed }: Side): Rows {
  const [owned] = (rows.tenants ?? []).filter(({ id }) => id === tenant.id)
  const account = Number(owned?.owner_account_id)
  const grants = (rows.oauth_grants ?? []).filter(
    ({ account_id }) => Number(account_id) === account,
  )
  const grantIds = new Set(grants.map(({ id }) => Number(id)))
  const belongs = (table: string, row: Record<string, unknown>): boolean =>
    [tenant.id, unclaimed.id].some(
      (id) => row.tenant_id === id || row.id === id || row.scope === `tenant:${id}`,
    ) ||
    (table === 'accounts' && Number(row.id) === account) ||
    (row.account_id !== undefined && Number(row.account_id) === account) ||
    row.scope === `account:${account}` ||
    (row.grant_id !== undefined && grantIds.has(Number(row.grant_id))) ||
    (table === 'oauth_grants' && grantIds.has(Number(row.id)))
  return Object.fromEntries(
    Object.entries(rows)
      // Counts the refused requests of strangers, so the intruder adds to it by design.
      .filter(([table]) => table !== 'refusals')
      .map(([table, all]) => [table, all.filter((row) => belongs(table, row))]),
  )
}
