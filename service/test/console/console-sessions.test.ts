import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import { claim } from '../support/actors/claim.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  // proves C268
  test(`[${engine}] active sessions are listed in pages, the newest first, and ending one returns to its page`, async (t) => {
    const { agent, browser, baseUrl } = await world(t, { engine, env: { DEV_UNLIMITED: '1' } })
    const tenant = await agent.createTenant()
    await claim(tenant, browser(), 'Alan Turing')
    const others = await agent.createTenant()
    await others.signIn(browser(), 'Grace Hopper')
    const oldest = await tenant.signIn(browser(), 'Ada Lovelace')
    const second = await tenant.signIn(browser(), 'Grace Hopper')
    for (let session = 2; session < 26; session++) {
      const email = ['ada@example.com', 'grace@example.com'][session % 2]
      assert.equal(
        (await tenant.manage('POST', '/api/social-login/test-sessions', { email })).status,
        201,
      )
    }
    const owner = await signInToAccount(baseUrl, browser(), 'Alan Turing')
    const ids = (): number[] =>
      [...owner.page.text.matchAll(/<tr id="session-(\d+)">/g)].map(([, id]) => Number(id))
    await owner.open(`${baseUrl}/account/projects/${tenant.id}/sessions`)
    assert.match(textOf(owner.page.text), /26 active sessions, newest first/)
    const first = ids()
    assert.equal(first.length, 25)
    assert.doesNotMatch(owner.page.text, /Pages of sessions.*Newest/s)
    await owner.follow('Older')
    const all = [...first, ...ids()]
    assert.deepEqual(
      all,
      [...all].sort((a, b) => b - a),
    )
    assert.equal(new Set(all).size, 26, 'pages join without a gap')
    assert.doesNotMatch(owner.page.text, /rel="next"/)

    await owner.press('End this session')
    assert.match(textOf(owner.page.text), /Session ended\..*No older sessions/s)
    await tenant.assertRefreshRejected(oldest.refresh_token, 'invalidRefreshToken')
    await tenant.refresh(second.refresh_token)
    await owner.follow('Show the newest')
    assert.match(textOf(owner.page.text), /25 active sessions/)
    assert.deepEqual(ids(), first)
    for (const before of ['0', '-1', 'x', '9'.repeat(20)]) {
      await owner.open(`${baseUrl}/account/projects/${tenant.id}/sessions?before=${before}`)
      assert.deepEqual(ids(), first, 'an invalid page has no effect')
    }
  })
}

test('a phone hides the time a session started only in the list that names its user', async (t) => {
  const { agent, browser, baseUrl } = await world(t)
  const tenant = await agent.createTenant()
  await claim(tenant, browser(), 'Alan Turing')
  await tenant.signIn(browser(), 'Ada Lovelace')
  const owner = await signInToAccount(baseUrl, browser(), 'Alan Turing')
  const hiddenCells = (): number[] =>
    ['<thead', '<tr id="session-1"'].map((start) => {
      const [, row = ''] = owner.page.text
        .slice(owner.page.text.indexOf('Active sessions'))
        .split(start)
      return (row.split('</tr>', 1)[0] ?? '').split('class="spare"').length - 1
    })
  await owner.open(`${baseUrl}/account/projects/${tenant.id}/sessions`)
  assert.deepEqual(hiddenCells(), [1, 1])
  await owner.open(`${baseUrl}/account/projects/${tenant.id}/users/1`)
  assert.deepEqual(hiddenCells(), [0, 0])
})
