import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import type { Browser } from '../support/actors/browser.ts'
import { claim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

/** The names of the cards, in their order. */
const namesOn = (owner: Browser): string[] =>
  [...owner.page.text.matchAll(/<h2 class="name"><a href="[^"]*">([^<]*)<\/a>/g)].map(
    ([, name = '']) => name,
  )

for (const engine of ENGINES) {
  // proves C264
  test(`[${engine}] an owner names projects, finds them and sorts them; without a name a project is called by its host`, async (t) => {
    const { agent, app, browser, baseUrl, clock } = await world(t, { engine })
    const [notes, shop, empty] = [
      await agent.createTenant(['https://notes.example.com/cb']),
      await agent.createTenant(['https://shop.example.com/cb', 'https://beta.example.com/cb']),
      await agent.createTenant(null),
    ]
    for (let signIn = 0; signIn < 2; signIn++) {
      await shop.signIn(browser())
    }
    const owner = browser()
    for (const tenant of [notes, shop, empty]) {
      clock.advance({ minutes: 1 })
      await claim(tenant, owner)
    }
    const show = async (query: string): Promise<string[]> => {
      await owner.open(`${baseUrl}/account${query}`)
      return namesOn(owner)
    }
    assert.deepEqual(
      await show(''),
      [empty.id, 'shop.example.com', 'notes.example.com'],
      'the newest first',
    )
    const text = textOf(owner.page.text)
    assert.match(text, /Needs a callback URL/)
    assert.match(text, /shop\.example\.com and 1 more/)
    assert.match(text, /Usage by project .* shop\.example\.com 1 4 /, 'two logins are four events')

    await owner.open(`${baseUrl}/account/projects/${notes.id}/settings`)
    await owner.press('Save name', { name: '  Zettel <b>\u202e ' })
    assert.match(owner.page.text, /Name saved/)
    assert.match(owner.page.text, /<h1>Zettel &lt;b&gt;<\/h1>/)
    assert.deepEqual(
      await show('?sort=name'),
      [empty.id, 'shop.example.com', 'Zettel &lt;b&gt;'].sort(byName),
    )
    assert.equal((await show('?sort=sign-ins'))[0], 'shop.example.com')
    assert.deepEqual(await show('?q=ZETTEL'), ['Zettel &lt;b&gt;'])
    assert.deepEqual(await show('?q=beta.example'), ['shop.example.com'])
    assert.deepEqual(await show(`?q=${notes.id}&sort=nonsense`), ['Zettel &lt;b&gt;'])
    assert.deepEqual(await show('?q=nothing'), [])
    assert.match(owner.page.text, /No project matches/)

    await owner.open(`${baseUrl}/account/projects/${notes.id}/settings`)
    await owner.press('Save name', { name: 'x'.repeat(61) })
    assert.equal(owner.page.status, 400)
    await owner.open(`${baseUrl}/account/projects/${notes.id}/settings`)
    assert.match(owner.page.text, /<h1>Zettel/, 'a refused name changes nothing')
    await owner.press('Save name', { name: '' })
    assert.match(owner.page.text, /<h1>notes\.example\.com<\/h1>/)
    const actions = await app.ctx.stores.audit.page(notes.id, 0, 100)
    assert.deepEqual(
      actions
        .filter(({ action }) => action === 'tenant.renamed')
        .map(({ actor, target }) => [actor.split(':')[0], target]),
      [
        ['account', null],
        ['account', null],
      ],
    )
  })
}

const byName = (a: string, b: string): number => a.localeCompare(b, 'en')

test('a name that is too long is refused at its field, keeps what was typed and changes nothing', async (t) => {
  const { agent, browser, baseUrl } = await world(t)
  const tenant = await agent.createTenant()
  const owner = browser()
  await claim(tenant, owner)
  await owner.open(`${baseUrl}/account/projects/${tenant.id}/settings`)
  const tooLong = 'x'.repeat(200)
  await owner.press('Save name', { name: tooLong })
  assert.equal(owner.page.status, 400)
  assert.match(
    owner.page.text,
    /id="name-name"[^>]* value="x{200}"[^>]* aria-invalid="true" autofocus/,
  )
  assert.match(owner.page.text, /id="name-name-problem"/)
  await owner.open(`${baseUrl}/account/projects/${tenant.id}`)
  const head = owner.page.text.split('class="tabs"')[0] ?? ''
  assert.doesNotMatch(head, /x{200}/)
  assert.equal(
    head.match(/<(h1|strong)>app\.example\.com</g)?.length,
    1,
    'a project that is called by its host shows it once',
  )
  await owner.open(`${baseUrl}/account`)
  assert.equal(owner.page.text.match(/>app\.example\.com</g)?.length, 1)
})

// proves C264
test('another owner can neither see nor rename a project', async (t) => {
  const { agent, browser, baseUrl } = await world(t)
  const tenant = await agent.createTenant(['https://notes.example.com/cb'])
  const owner = browser()
  await claim(tenant, owner)
  const stranger = await signInToAccount(baseUrl, browser(), 'Grace Hopper')
  const body = new URLSearchParams({ csrf: csrfOf(stranger), name: 'Stolen' })
  const renamed = await stranger.request(`${baseUrl}/account/projects/${tenant.id}/name`, {
    method: 'POST',
    body,
  })
  assert.equal(renamed.status, 404)
  await stranger.open(`${baseUrl}/account?q=notes`)
  assert.deepEqual(namesOn(stranger), [])
  await owner.open(`${baseUrl}/account`)
  assert.deepEqual(namesOn(owner), ['notes.example.com'])
})
