import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import { claim } from '../support/actors/claim.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { assertPageSecurity } from '../support/actors/page-security.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

const HTML = { Accept: 'text/html' }

for (const engine of ENGINES) {
  // proves C287
  test(`[${engine}] the console waits for new events of its project, filtered as the page is, and of no other project`, async (t) => {
    const { app, agent, browser, baseUrl } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const other = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner, 'Alan Turing')
    await claim(other, browser(), 'Grace Hopper')
    const follow = async (query = '') => {
      const url = `${baseUrl}/account/projects/${tenant.id}/activity?after=${await newest()}${query}`
      return owner.request(url, { headers: HTML })
    }
    const newest = async (): Promise<number> => (await tenant.events()).at(-1)?.id ?? 0
    const waiting = (count: number) =>
      waitUntil(`${count} pages wait`, () => app.ctx.signals.waiting === count)

    const all = follow()
    const filtered = follow('&event=logout')
    await waiting(2)
    await other.signIn(browser(), 'Ada Lovelace')
    const { refresh_token } = await tenant.signIn(browser(), 'Ada Lovelace')
    const response = await all
    const page = {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      json: undefined,
    }
    assertPageSecurity('activity', page, 200)
    // The first of the two events of a sign-in wakes the page.
    assert.match(page.text, /^<table data-after="\d+">/)
    await waiting(1)
    await tenant.edge('logout', { refresh_token })
    const rows = textOf(await (await filtered).text())
    assert.match(rows, /Signed out ada@example\.com/)
    assert.doesNotMatch(rows, /Signed in/)
    await waiting(0)

    const [first] = await tenant.events()
    const past = await owner.request(
      `${baseUrl}/account/projects/${tenant.id}/activity?after=${first?.id}`,
      {
        headers: HTML,
      },
    )
    assert.match(
      textOf(await past.text()),
      /Signed out.*Signed in/s,
      'what happened since is there at once, newest first',
    )
  })

  // proves C287
  test(`[${engine}] a browser that is signed out while it waits, or owns another project, reads no event`, async (t) => {
    const { app, agent, browser, baseUrl } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const owner = browser()
    await claim(tenant, owner, 'Alan Turing')
    const url = `${baseUrl}/account/projects/${tenant.id}/activity?after=0`
    const waiting = owner.request(url, { headers: HTML })
    await waitUntil('the page waits', () => app.ctx.signals.waiting === 1)
    const elsewhere = await signInToAccount(baseUrl, browser(), 'Alan Turing')
    await elsewhere.request(`${baseUrl}/account`, { headers: HTML })
    await app.ctx.stores.accountSessions.endAll(1)
    await tenant.signIn(browser(), 'Ada Lovelace')
    const response = await waiting
    assert.equal(response.status, 401)
    assert.doesNotMatch(await response.text(), /ada@|Signed in|Sign-in started/)

    const signedOut = await owner.request(url, { headers: HTML })
    assert.equal(signedOut.status, 303)
    const stranger = await signInToAccount(baseUrl, browser(), 'Grace Hopper')
    assert.equal((await stranger.request(url, { headers: HTML })).status, 404)
    assert.equal(app.ctx.signals.waiting, 0)
  })
}

// proves C287
test('an account may have ten live pages; one more gets 429, and other owners are served', async (t) => {
  const { app, agent, browser, baseUrl, stop } = await world(t)
  const tenant = await agent.createTenant()
  const other = await agent.createTenant()
  const [owner, neighbor] = [browser(), browser()]
  await claim(tenant, owner, 'Alan Turing')
  await claim(other, neighbor, 'Grace Hopper')
  const follow = (who: typeof owner, id: string) =>
    who.request(`${baseUrl}/account/projects/${id}/activity`, { headers: HTML })
  const pages = Array.from({ length: 10 }, () => follow(owner, tenant.id))
  await waitUntil('ten pages wait', () => app.ctx.signals.waiting === 10)
  const refused = await follow(owner, tenant.id)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '5')
  pages.push(follow(neighbor, other.id))
  await waitUntil('the other owner waits', () => app.ctx.signals.waiting === 11)
  // A stop ends them at once; the script asks the next process.
  await stop()
  for (const page of await Promise.all(pages)) {
    assert.deepEqual([page.status, (await page.text()).includes('<tr')], [200, false])
  }
})
