import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import type { Browser } from '../support/actors/browser.ts'
import { claim, openClaim, requestClaim, waitForClaim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { tokenFor } from '../support/actors/grants.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

interface TailEvent {
  readonly source: string
  readonly tenant_id: string
  readonly user_id?: number | null
  readonly email?: string | null
}

const tailOf = async (tenant: Tenant, key: string): Promise<TailEvent[]> =>
  (await tenant.call('GET', '/api/observability?include=recent_events', key)).json.recent_events

const managementKeyIn = (browser: Browser): string =>
  /coh_management_key=(svc_man_\w+)/.exec(browser.page.text)?.[1] ?? 'none'

for (const engine of ENGINES) {
  // proves C075, S006
  test(`[${engine}] a key from before the claim shows no user of the owner's other projects; one issued to the owner does`, async (t) => {
    const here = await world(t, { engine })
    const { agent, browser, baseUrl, app } = here
    const [claimed, other] = [await agent.createTenant(), await agent.createTenant()]
    const owner = browser()
    for (const tenant of [claimed, other]) {
      await claim(tenant, owner)
    }
    await claimed.signIn(browser(), 'Alan Turing')
    await other.signIn(browser(), 'Grace Hopper', '?return_to=/private')
    const [user] = await other.users()
    await other.manage('GET', `/api/social-login/users/${user?.id}`)
    await app.flush()

    const kept = await claimed.manage('GET', '/api/observability?include=recent_events')
    const events: TailEvent[] = kept.json.recent_events
    const ofOther = events.filter(({ tenant_id }) => tenant_id === other.id)
    assert.deepEqual(
      new Set(ofOther.map(({ source }) => source)),
      new Set(['auth', 'api']),
      'its activity is shown',
    )
    assert.ok(
      ofOther.every(({ user_id = null, email = null }) => user_id === null && email === null),
    )
    for (const hidden of ['grace@', '/private', 'app.example.com', `users/${user?.id}`]) {
      assert.ok(!kept.text.includes(hidden), hidden)
    }
    assert.ok(
      events.some(
        ({ tenant_id, email }) => tenant_id === claimed.id && email === 'alan@example.com',
      ),
    )
    const narrowed = await claimed.manage(
      'GET',
      `/api/observability?include=recent_events&tenant_id=${other.id}`,
    )
    assert.ok(!narrowed.text.includes('grace@'))

    await owner.open(`${baseUrl}/account/projects/${claimed.id}/keys`)
    await owner.press('Replace keys')
    const seesGrace = async (key: string): Promise<boolean> =>
      (await tailOf(claimed, key)).some(
        ({ tenant_id, email }) => tenant_id === other.id && email === 'grace@example.com',
      )
    assert.equal(await seesGrace(managementKeyIn(owner)), true)
    assert.equal(await seesGrace(claimed.key), false, 'the old key, during the overlap')

    const [ada] = await app.ctx.stores.accounts.findByEmail('ada@example.com')
    const token = await tokenFor(here, { kind: 'account', accountId: ada?.id ?? 0 })
    const body = { confirmed: true, idempotency_key: 'created-by-the-account' }
    const created = await agent.call('POST', '/api/mcp/bootstrap', { key: token, body })
    assert.equal(await seesGrace(created.json.coh_management_key), true)
  })

  test(`[${engine}] approving a claim keeps the keys, replaces them with 24 hours overlap, or replaces them now`, async (t) => {
    const { agent, browser, clock, baseUrl } = await world(t, { engine })
    for (const [keys, kept, lead] of [
      ['keep', true, /its keys keep working/],
      ['overlap', true, /The old keys work until/],
      ['now', false, /The old keys no longer work/],
    ] as const) {
      const tenant = await agent.createTenant()
      const { access_token } = await tenant.signIn(browser())
      const works = async (key: string): Promise<boolean> =>
        (await tenant.call('GET', '/api/status', key)).status === 200
      const request = await requestClaim(tenant)
      const owner = browser()
      await openClaim(owner, request)
      assert.match(
        owner.page.text,
        /If you keep the keys, .* your other projects, never their users/,
      )
      await owner.press('Approve', { keys })

      assert.equal(owner.page.status, 200)
      assert.match(owner.page.text, lead)
      const untilTomorrow = new RegExp(
        `until <time datetime="${new Date(clock.now() + 24 * 3_600_000).toISOString()}"`,
      )
      if (keys === 'overlap') {
        assert.match(owner.page.text, untilTomorrow)
      }
      assert.equal((await waitForClaim(tenant, request)).json.status, 'approved')
      const key = managementKeyIn(owner)
      assert.equal(key !== 'none', keys !== 'keep')
      if (keys !== 'keep') {
        assert.equal(await works(key), true)
      }
      const { actions } = (
        await tenant.call('GET', '/api/audit', keys === 'keep' ? tenant.key : key)
      ).json
      const ofOwner = ['tenant.claimed', ...(keys === 'keep' ? [] : ['tenant.keys_replaced'])]
      assert.deepEqual(actionsOf(actions).slice(-ofOwner.length - 1), [
        'claim.requested',
        ...ofOwner,
      ])
      assert.equal(await works(tenant.key), kept, keys)
      clock.advance({ hours: 24 })
      assert.equal(await works(tenant.key), keys === 'keep', keys)
      await owner.open(`${baseUrl}/account/projects/${tenant.id}/keys`)
      assert.equal(owner.page.status, 200)
      assert.doesNotMatch(owner.page.text, /svc_man_\w/, 'the new keys are shown once')
      assert.ok(access_token.length > 0)
    }
  })

  test(`[${engine}] a denied, refused or unknown choice leaves the keys as they are`, async (t) => {
    const { agent, browser } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const owner = browser()
    await openClaim(owner, await requestClaim(tenant))
    const unknown = await owner.request(`${owner.page.url}/decide`, {
      method: 'POST',
      body: new URLSearchParams({ csrf: csrfOf(owner), decision: 'approve', keys: 'some' }),
    })
    assert.equal(unknown.status, 400)
    assert.equal((await tenant.status()).status, 'ephemeral')
    await owner.press('Deny', { keys: 'now' })
    assert.equal((await tenant.status()).status, 'ephemeral')

    const superseded = browser()
    await openClaim(superseded, await requestClaim(tenant))
    await requestClaim(tenant)
    await superseded.press('Approve', { keys: 'now' })
    assert.equal(superseded.page.status, 410)
    assert.equal((await tenant.status()).status, 'ephemeral', 'its key still works')
  })

  test(`[${engine}] an owner can replace leaked keys so that the old ones stop working now`, async (t) => {
    const { agent, browser, baseUrl } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner)
    await owner.open(`${baseUrl}/account/projects/${tenant.id}/keys`)
    await owner.press('Replace keys', { keys: 'now' })
    assert.match(owner.page.text, /The old keys no longer work/)
    assertApiError(await tenant.manage('GET', '/api/status'), 'invalidCredentials')
    assert.equal(
      (await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)).status,
      401,
    )
    const { actions } = (await tenant.call('GET', '/api/audit', managementKeyIn(owner))).json
    assert.equal(actionsOf(actions).at(-1), 'tenant.keys_replaced')
  })
}

const actionsOf = (entries: readonly { readonly action: string }[]): string[] =>
  entries.map(({ action }) => action)
