import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import { claim } from '../support/actors/claim.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { assertPageSecurity } from '../support/actors/page-security.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { newEvent } from '../support/postgres/storage.ts'
import { world } from '../support/world.ts'

/** More than the deletion erases before it answers. */
const EVENTS = 10_500
const BATCH = 500

for (const engine of ENGINES) {
  // proves C281
  test(`[${engine}] the owner of a large deleted project sees how many rows are left, until the page says that it is over`, async (t) => {
    const { agent, browser, baseUrl, app } = await world(t, { engine })
    const { stores } = app.ctx
    const tenant = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner)
    const resource = await stores.resources.findActive(tenant.id)
    assert.ok(resource !== null)
    for (let first = 1_000; first < 1_000 + EVENTS; first += BATCH) {
      await stores.events.appendAll(
        resource,
        first,
        Array.from({ length: BATCH }, () => newEvent('logout')),
      )
    }
    const page = `${baseUrl}/account/deletions/${tenant.id}`
    await owner.open(page)
    assert.equal(owner.page.status, 404, 'before the deletion there is nothing to see')

    await owner.open(`${baseUrl}/account/projects/${tenant.id}/danger`)
    await owner.press('Delete', { confirm: tenant.id })
    assertPageSecurity('deletion', owner.page, 200)
    assert.equal(owner.page.url.pathname, new URL(page).pathname)
    const [, left = '', total = ''] =
      /(\d+) of (\d+) rows are still to be erased/.exec(textOf(owner.page.text)) ?? []
    assert.deepEqual(
      [left, total],
      ['501', '501'],
      'the events beyond 10,000, and the social login itself',
    )
    assert.match(owner.page.headers.get('refresh') ?? '', /^\d+$/)
    assert.match(owner.page.text, /<progress [^>]*max="501" value="0"/)
    await owner.open(`${page}?of=${'9'.repeat(40)}`)
    assert.match(textOf(owner.page.text), /501 of 501 rows/)
    await owner.open(`${page}?of=2000`)
    assert.match(textOf(owner.page.text), /501 of 2,000 rows/)

    const stranger = await signInToAccount(baseUrl, browser(), 'Grace Hopper')
    assert.equal((await stranger.request(page)).status, 404)
    await app.sweep()
    await owner.open(`${page}?of=501`)
    assert.equal(owner.page.status, 200)
    assert.match(textOf(owner.page.text), /Project deleted.*Everything is erased/)
    assert.equal(owner.page.headers.get('refresh'), null, 'the page no longer reloads')
    assert.equal((await tenant.manage('GET', '/api/resources')).status, 410)
    assert.equal((await browser().request(page)).status, 303, 'signed out')
  })
}
