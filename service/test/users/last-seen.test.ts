import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mePaths } from '../../src/http/me/paths.ts'
import type { Pair, Tenant } from '../support/actors/agent.ts'
import { claim } from '../support/actors/claim.ts'
import { openMe, pressOnMe, shownApp } from '../support/actors/me.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

const USERS = '/api/social-login/users'
const EXPORT = '/api/social-login/export'

/** The last_seen of the only user, in every response that has it. */
async function everyLastSeen(tenant: Tenant): Promise<string[]> {
  const lists = ['', '?limit=1', '?q=ada', '?email=ada@example.com', '?include=identities,blocked']
  const listed = await Promise.all(lists.map((query) => tenant.manage('GET', USERS + query)))
  const one = await tenant.manage('GET', `${USERS}/1`)
  const exported = await tenant.manage('GET', EXPORT)
  const csv = await tenant.manage('GET', `${EXPORT}?format=csv`)
  const [, row = ''] = csv.text.split('\r\n')
  return [
    ...listed.map(({ json }) => json.users[0].last_seen),
    one.json.user.last_seen,
    JSON.parse(exported.text).last_seen,
    row.split(',')[5] ?? '',
  ]
}

interface SignedIn {
  readonly service: World
  readonly tenant: Tenant
  /** Of the session that was refreshed last. */
  readonly pair: Pair
  readonly spent: string
}

const ENDS: Readonly<Record<string, (signedIn: SignedIn) => Promise<unknown>>> = {
  'a logout': async ({ tenant, pair }) =>
    tenant.edge('logout', { refresh_token: pair.refresh_token }),
  'the reuse of a spent refresh token': async ({ tenant, spent }) =>
    tenant.assertRefreshRejected(spent, 'refreshTokenReused'),
  'the owner ending all sessions': async ({ tenant }) =>
    tenant.manage('DELETE', `${USERS}/1/sessions`),
  'a block': async ({ tenant }) => {
    const before = (await tenant.users())[0]?.last_seen
    assert.equal((await tenant.manage('POST', `${USERS}/1/block`)).json.user.last_seen, before)
    assert.equal((await tenant.manage('POST', `${USERS}/1/unblock`)).json.user.last_seen, before)
  },
  'the person signing out at /me': async ({ service, tenant }) => {
    const ada = await openMe(service.browser(), service.baseUrl)
    assert.equal(await pressOnMe(ada, mePaths.signOut, tenant.id), '/me?done=signed-out')
  },
  'the expiry and sweep of the session': async ({ service: { app, clock } }) => {
    clock.advance({ days: 31 })
    await app.sweep()
  },
}

for (const engine of ENGINES) {
  // proves C016
  test(`[${engine}] after a refresh every list, search, export and page shows its time as last_seen`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await claim(tenant, browser())
    const { refresh_token } = await tenant.signIn(browser())
    const signedInAt = new Date(clock.now()).toISOString()
    assert.deepEqual(new Set(await everyLastSeen(tenant)), new Set([signedInAt]))

    clock.advance({ hours: 5 })
    await tenant.refresh(refresh_token)
    const refreshedAt = new Date(clock.now()).toISOString()
    assert.deepEqual(new Set(await everyLastSeen(tenant)), new Set([refreshedAt]))
    assert.equal((await tenant.users())[0]?.first_seen, signedInAt)

    clock.advance({ hours: 2 })
    const ada = await openMe(browser(), baseUrl)
    assert.match(shownApp(ada, tenant.id) ?? '', /First used 7 hours ago .* Last used 2 hours ago/)
  })

  for (const [name, end] of Object.entries(ENDS)) {
    test(`[${engine}] after ${name}, last_seen stays the time of the last refresh`, async (t) => {
      const service = await world(t, { engine })
      const { agent, browser, clock } = service
      const tenant = await agent.createTenant()
      await claim(tenant, browser())
      const phone = await tenant.signIn(browser())
      const laptop = await tenant.signIn(browser())
      clock.advance({ hours: 1 })
      await tenant.refresh(phone.refresh_token)
      clock.advance({ hours: 1 })
      const pair = await tenant.refresh(laptop.refresh_token)
      const refreshedAt = new Date(clock.now()).toISOString()
      clock.advance({ minutes: 10 })

      await end({ service, tenant, pair, spent: laptop.refresh_token })
      await tenant.assertRefreshRejected(pair.refresh_token, 'invalidRefreshToken')
      assert.deepEqual(new Set(await everyLastSeen(tenant)), new Set([refreshedAt]))
    })
  }
}
