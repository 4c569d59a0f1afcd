import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import { claim } from '../support/actors/claim.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  test(`[${engine}] the overview counts each kind of event over 7, 30 or 90 days, and its activity is filtered by event and user and listed in pages`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await claim(tenant, browser(), 'Alan Turing')
    for (let signIn = 0; signIn < 7; signIn++) await tenant.signIn(browser(), 'Ada Lovelace')
    clock.advance({ days: 40 })
    for (let signIn = 0; signIn < 8; signIn++) await tenant.signIn(browser(), 'Grace Hopper')
    const owner = await signInToAccount(baseUrl, browser(), 'Alan Turing')
    const show = async (query: string): Promise<string> => {
      await owner.open(`${baseUrl}/account/projects/${tenant.id}${query}`)
      assert.equal(owner.page.status, 200)
      return textOf(owner.page.text)
    }
    const events = () => [...owner.page.text.matchAll(/<td class="event">([^<]*)<\/td>\s*<td class="who">(.*?)<\/td>/g)]
    assert.match(await show('?days=7'), /Sign-ins \(7 days\) 8/)
    assert.match(await show(''), /Sign-ins \(30 days\) 8/)
    assert.match(await show('?days=90'), /Sign-ins \(90 days\) 15/)
    assert.match(await show('?days=5000'), /Sign-ins \(30 days\) 8/, 'an unknown period has no effect')

    const chart = () => /role="img" aria-label="([^"]*)"/.exec(owner.page.text)?.[1]
    await show('?days=90&chart=started')
    assert.match(chart() ?? '', /^15 started sign-ins in the last 90 days/)
    await owner.follow('7 days')
    assert.match(chart() ?? '', /^8 started sign-ins in the last 7 days/, 'the period keeps the kind')
    await owner.follow('Refreshes')
    assert.match(owner.page.text, /No refreshes in the last 7 days/, 'the kind keeps the period')
    await show('?chart=constructor')
    assert.match(chart() ?? '', /^8 sign-ins and 0 failed in the last 30 days/, 'an unknown kind has no effect')

    await show('?event=authorize&user=1')
    assert.deepEqual(
      events().map(([, event, who = '']) => [event, textOf(who).trim()]),
      Array.from({ length: 7 }, () => ['Signed in', 'ada@example.com']),
    )
    await owner.press('Filter', { user: '99' })
    assert.match(owner.page.text, /No event matches/)
    await show('')
    const first = events().filter(([, event]) => event === 'Signed in').length
    await owner.follow('Older')
    const second = events().filter(([, event]) => event === 'Signed in').length
    assert.equal(first + second, 15, 'pages join without a gap')
    await show('?event=nonsense&user=x&before=-1')
    assert.ok(events().length >= 25)
  })
}
