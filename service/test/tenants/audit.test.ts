import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { AUDIT_ACTIONS, type AuditEntry } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { forgetConsent } from '../../src/operations/accounts/me-apps.ts'
import { requestRemoval, withdrawRemoval } from '../../src/operations/accounts/removals.ts'
import { addLinkedIdentity } from '../../src/operations/login/link.ts'
import { endTenantSessions } from '../../src/operations/sessions/end-tenant-sessions.ts'
import { sweep } from '../../src/operations/sweep.ts'
import { endTenant } from '../../src/operations/tenants/end-tenant.ts'
import { OPERATOR } from '../../src/operations/tenants/operator.ts'
import { liftSuspension, suspendTenant } from '../../src/operations/tenants/suspension.ts'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { claim } from '../support/actors/claim.ts'
import { tokenFor } from '../support/actors/grants.ts'
import { RawMcpClient, toolResult } from '../support/actors/mcp.ts'
import { ownClient } from '../support/actors/providers.ts'
import { squarePng } from '../support/png.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { googleProfile, raw, startedAttempt } from '../support/postgres/storage.ts'
import { slow } from '../support/tags.ts'
import { testDns } from '../support/transport/test-dns.ts'
import { world } from '../support/world.ts'

const auditOf = async (tenant: Tenant, query = ''): Promise<z.infer<typeof AuditEntry>[]> =>
  (await tenant.manage('GET', `/api/audit${query}`)).json.actions

for (const engine of ENGINES) {
  // proves C185, S055
  test(`[${engine}] the audit names who did what, in which request, and never a value`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const owner = browser()
    const changed = await tenant.manage('PATCH', '/api/social-login/settings', {
      refresh_leeway_seconds: 37,
    })
    await claim(tenant, owner)
    await tenant.signIn(browser())
    await owner.open(`${baseUrl}/account/projects/${tenant.id}/sessions`)
    await owner.press('End this session')
    clock.advance({ minutes: 1 })
    await tenant.manage('DELETE', '/api/resources/social-login')

    const actions = await auditOf(tenant)
    assert.deepEqual(
      actions.map(({ id, actor, action }) => `${id} ${actor.split(':')[0]} ${action}`),
      [
        '1 key social_login.provisioned',
        '2 key settings.changed',
        '3 key claim.requested',
        '4 account tenant.claimed',
        '5 account session.ended',
        '6 key social_login.removed',
      ],
    )
    const [, settings, , , ended, removed] = actions
    const changeAlone = {
      id: 2,
      at_ms: settings?.at_ms,
      actor: settings?.actor,
      action: 'settings.changed',
      target: 'refresh_leeway_seconds',
      request_id: changed.headers.get('x-request-id'),
    }
    assert.deepEqual(settings, changeAlone, 'no value')
    assert.match(ended?.target ?? '', /^session:\d+$/)
    assert.equal(removed?.at_ms, clock.now())
    assert.equal(
      new Set(actions.filter(({ actor }) => actor.startsWith('key:')).map(({ actor }) => actor))
        .size,
      1,
    )
    assert.doesNotMatch(
      actions[0]?.actor ?? '',
      new RegExp(tenant.key.slice(-8)),
      'not a part of the key',
    )
    const unkeyed = createHash('sha256').update(tenant.key).digest('hex')
    assert.ok(
      !unkeyed.startsWith(actions[0]?.actor.slice(4) ?? ''),
      'not a hash that others can compute',
    )
  })

  // proves C185, S055
  test(`[${engine}] a failed change leaves no record, and the audit is read in pages`, async (t) => {
    const { agent } = await world(t, { engine })
    const tenant = await agent.createTenant()
    assert.equal(
      (await tenant.manage('PATCH', '/api/social-login/settings', { refresh_leeway_seconds: 61 }))
        .status,
      400,
    )
    assert.equal(
      (await tenant.manage('POST', '/api/resources/social-login', { callback_urls: ['no'] }))
        .status,
      400,
    )
    for (const seconds of [1, 2, 3]) {
      await tenant.manage('PATCH', '/api/social-login/settings', {
        refresh_leeway_seconds: seconds,
      })
    }
    assert.equal((await auditOf(tenant)).length, 4)
    const page = await tenant.manage('GET', '/api/audit?after=1&limit=2')
    assert.deepEqual(
      page.json.actions.map(({ id }: { id: number }) => id),
      [2, 3],
    )
    assert.match(page.headers.get('link') ?? '', /\/api\/audit\?after=3&limit=2>; rel="next"/)
    assert.equal(
      (await tenant.manage('GET', '/api/audit?after=3&limit=2')).headers.get('link'),
      null,
    )
  })

  // proves C189
  test(`[${engine}] actions are kept for 90 days, and the newest 10,000`, {
    skip: slow,
  }, async (t) => {
    const here = await world(t, { engine })
    const { app, agent, browser, clock } = here
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const last = (await auditOf(tenant)).at(-1)?.id ?? 0
    assert.ok(last > 0)
    const copies = `with recursive copies (id) as (select ${last} + 1 union all select id + 1 from copies where id < 10000)
      select '${tenant.id}', id, ${clock.now()}, 'operator', 'settings.changed', 'r' from copies`
    await raw(
      databaseOf(here),
      `insert into actions (tenant_id, id, at_ms, actor, action, request_id) ${copies}`,
    )
    const ids = { scope: `tenant:${tenant.id}`, window: 'audit-ids', start: 0 } as const
    assert.equal(await app.ctx.stores.counters.spend(ids, 10_000 - last, null), 10_000)
    assert.equal(
      (await tenant.manage('PATCH', '/api/social-login/settings', { remember_consent: true }))
        .status,
      200,
    )
    const kept = async () => {
      const [row] = await raw(
        databaseOf(here),
        'select min(id) as first, max(id) as last, count(*) as count from actions',
      )
      return [row?.first, row?.last, row?.count].map(Number)
    }
    assert.deepEqual(await kept(), [2, 10_001, 10_000])
    clock.advance({ days: 89 })
    await sweep(app.ctx)
    assert.deepEqual(await kept(), [2, 10_001, 10_000])
    clock.advance({ days: 2 })
    await sweep(app.ctx)
    assert.deepEqual(await kept(), [0, 0, 0])
  })
}

test('an agent that provisions over MCP is in the audit by its grant, or by its key', async (t) => {
  const here = await world(t)
  const { agent, app, browser } = here
  const tenant = await agent.createTenant(null)
  await claim(tenant, browser())
  const [ada] = await app.ctx.stores.accounts.findByEmail('ada@example.com')
  const token = await tokenFor(here, { kind: 'account', accountId: ada?.id ?? 0 })
  const wire = new RawMcpClient(agent)
  const call = {
    tenant_id: tenant.id,
    confirmed: true,
    resource: 'social-login',
    configuration: { callback_urls: ['https://app.example.com/callback'] },
  }
  await toolResult(wire.call('provision_resource', call, { token }))
  await toolResult(wire.call('provision_resource', { ...call, coh_management_key: tenant.key }))
  const actors = (await auditOf(tenant)).map(
    ({ actor, action }) => `${actor.replace(/:.*/, '')} ${action}`,
  )
  assert.deepEqual(actors.slice(-2), [
    'grant social_login.provisioned',
    'key social_login.provisioned',
  ])
})

// proves C186
test('every action of the list is recorded when it is done, with its target', {
  skip: slow,
}, async (t) => {
  const { records, network } = testDns()
  const { agent, app, browser, baseUrl, clock } = await world(t, { network })
  const tenant = await agent.createTenant()
  const owner = browser()
  await claim(tenant, owner)
  const { dns } = (await tenant.manage('POST', '/api/domains', { host: 'app.example.com' })).json
    .domain
  records.set(dns.name, [[dns.value]])
  await tenant.manage('POST', '/api/domains/app.example.com/check')
  records.clear()
  for (let week = 0; week < 2; week++) {
    clock.advance({ days: 7 })
    await sweep(app.ctx)
  }
  await tenant.manage('DELETE', '/api/domains/app.example.com')
  const brand = '/api/social-login/brand'
  await tenant.manage('PUT', brand, { name: 'Notes' })
  const logo = { key: tenant.key, body: squarePng(64), headers: { 'Content-Type': 'image/png' } }
  await agent.call('PUT', `${brand}/logo`, logo)
  await tenant.manage('DELETE', `${brand}/logo`)
  await tenant.manage('DELETE', brand)
  for (let signIn = 0; signIn < 3; signIn++) {
    await tenant.signIn(browser())
  }
  const [users, hooks] = ['/api/social-login/users/1', '/api/webhooks']
  const done = async (method: string, path: string, body?: unknown): Promise<ApiResponse> => {
    const response = await tenant.manage(method, path, body)
    assert.ok(response.status < 300, response.text)
    return response
  }
  await done('PATCH', '/api/social-login/settings', { refresh_leeway_seconds: 1 })
  const { invitation } = (await done('POST', '/api/social-login/invitations')).json
  await done('DELETE', `/api/social-login/invitations/${invitation.id}`)
  const { sessions } = (await done('GET', `${users}/sessions`)).json
  const attempt = startedAttempt(tenant.id, { linkSessionId: sessions[0].id })
  const profile = googleProfile('linked')
  await app.ctx.stores.transaction((stores) =>
    addLinkedIdentity({ ...app.ctx, stores }, { ...attempt, profile }, 'request'),
  )
  await done('DELETE', `/api/social-login/sessions/${sessions[0].id}`)
  await done('DELETE', `${users}/sessions`)
  await done('PUT', `${users}/metadata`, { metadata: {} })
  await done('PUT', `${users}/claims`, { claims: { role: 'admin' } })
  await done('POST', '/api/social-login/test-sessions', {
    email: 'second@example.com',
    subject: 'second',
  })
  await done('POST', `${users}/merge`, { from: 2 })
  await done('PATCH', `${users}/identities/google?subject=second`, { pinned: true })
  await done('DELETE', `${users}/identities/google?subject=second`)
  await done('POST', `${users}/block`)
  await done('POST', `${users}/unblock`)
  const { text } = await done('GET', '/api/social-login/export')
  const { issuer, subject } = JSON.parse(text.split('\n')[0] ?? '')
  const author = { actor: 'person', requestId: 'r' } as const
  const removal = { person: { issuer, subject }, tenantId: tenant.id, author, addressKey: 'a' }
  await requestRemoval(app.ctx, removal)
  await withdrawRemoval(app.ctx, removal)
  const resource = await app.ctx.stores.resources.findActive(tenant.id)
  const consent = {
    userId: 1,
    host: 'app.example.com',
    provider: 'google',
    browserHash: 'b',
    brandHash: 'h',
  } as const
  if (resource !== null) {
    await app.ctx.stores.consents.remember(resource, { ...consent, at: clock.now() })
  }
  await forgetConsent(app.ctx, removal.person, tenant.id, author)
  await done('DELETE', users)
  const headers = { 'Content-Type': 'application/x-ndjson' }
  await agent.call('POST', '/api/social-login/import', { key: tenant.key, body: text, headers })
  const { webhook } = (await done('POST', hooks, { url: 'https://app.example.com/hook' })).json
  await done('PATCH', `${hooks}/${webhook.id}`, { status: 'disabled' })
  await done('POST', `${hooks}/${webhook.id}/rotate`)
  await done('POST', `${hooks}/${webhook.id}/replay`, { after: 0 })
  await done('DELETE', `${hooks}/${webhook.id}`)
  const provider = '/api/social-login/providers/github'
  await done('PUT', provider, ownClient(baseUrl, 'github'))
  await done('POST', `${provider}/test`)
  await done('DELETE', provider)
  const stored = await app.ctx.stores.tenants.find(tenant.id)
  assert.ok(stored !== null)
  await endTenantSessions(app.ctx, stored)
  await suspendTenant(app.ctx, tenant.id, 'spam')
  await liftSuspension(app.ctx, tenant.id, 'spam')
  await done('DELETE', '/api/resources/social-login')
  clock.advance({ minutes: 1 })
  await owner.open(`${baseUrl}/account/projects/${tenant.id}/settings`)
  await owner.press('Save name', { name: 'Notes' })
  await owner.open(`${baseUrl}/account/projects/${tenant.id}/keys`)
  await owner.press('Replace keys', { keys: 'now' })

  await endTenant(app.ctx, stored, 'deleted', OPERATOR)

  const actions = await app.ctx.stores.audit.page(tenant.id, 0, 100)
  assert.deepEqual(
    [...new Set(actions.map(({ action }) => action))].sort(),
    [...AUDIT_ACTIONS].sort(),
  )
  assert.equal(actions.length, AUDIT_ACTIONS.length + 1, 'each once; a merge also deletes a user')
  const expected =
    /^(user:[12]|session:\d+|wh_\w+( status)?|inv_\w+|refresh_leeway_seconds|github|app\.example\.com|spam)$/
  for (const { action, target } of actions) {
    assert.equal(
      target !== null,
      /^(user|session|webhook|provider|settings|domain|invitation)\.|^tenant\.(suspended|lifted)$/.test(
        action,
      ),
      `${action} ${target}`,
    )
    if (target !== null) {
      assert.match(target, expected)
    }
  }
})
