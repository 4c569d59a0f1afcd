import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mePaths } from '../../src/http/me/paths.ts'
import { shownError } from '../support/actors/browser.ts'
import { openMe, pressOnMe, shownApp } from '../support/actors/me.ts'
import { textOf } from '../support/actors/page-checks.ts'
import {
  activateProvider,
  ownedTenant,
  pressAtProvider,
  putProvider,
} from '../support/actors/providers.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

for (const [provider, label] of [
  ['github', 'GitHub'],
  ['microsoft', 'Microsoft'],
] as const) {
  // proves C345
  test(`a person who signs in to apps with ${label} sees and leaves them on /me, also those with a client of their own`, {
    skip: slow,
  }, async (t) => {
    const service = await world(t)
    const { agent, browser, baseUrl, clock } = service
    const google = await agent.createTenant(['https://google.example.com/cb'])
    await google.signIn(browser())
    const shared = await agent.createTenant(['https://shared.example.com/cb'])
    await putProvider(shared, provider, { mode: 'shared' })
    const owned = await ownedTenant(service, ['https://own.example.com/cb'])
    const { login_url: ownUrl } = await activateProvider(service, owned, provider)
    for (const url of [`${baseUrl}/edge/auth/${shared.id}/${provider}`, ownUrl]) {
      clock.advance({ minutes: 1 })
      const person = browser()
      await person.open(url)
      await pressAtProvider(person, 'Ada Lovelace')
      await person.press('Continue')
    }
    const ada = await openMe(browser(), baseUrl, 'Ada Lovelace', label)
    const text = textOf(ada.page.text)
    assert.match(text, new RegExp(`signed in to with this ${label} account`))
    assert.match(shownApp(ada, shared.id) ?? '', /shared\.example\.com/)
    assert.match(
      shownApp(ada, owned.tenant.id) ?? '',
      /own\.example\.com/,
      'the same person at the provider',
    )
    assert.equal(
      shownApp(ada, google.id),
      null,
      'the same email address at Google is another account',
    )
    await pressOnMe(ada, mePaths.signOut, shared.id)
    assert.match(shownApp(ada, shared.id) ?? '', /You’re not signed in/)
    assert.equal(await pressOnMe(ada, mePaths.remove, shared.id), '/me?done=deleted')
    assert.equal(shownApp(ada, shared.id), null)
    assert.equal((await google.users()).length, 1)

    const asGoogle = await openMe(browser(), baseUrl)
    assert.match(textOf(asGoogle.page.text), /signed in to with this Google account/)
    assert.equal(shownApp(asGoogle, owned.tenant.id), null)
  })
}

// proves C345
test('a sign-in to /me with an unknown provider, or one of an owner, is refused and starts nothing', async (t) => {
  const service = await world(t)
  const { browser, baseUrl } = service
  const person = browser()
  await person.open(`${baseUrl}/me`)
  for (const provider of ['', 'apple', 'oidc-acme', '__proto__', 'GitHub']) {
    const response = await person.request(`${baseUrl}${mePaths.signIn}`, {
      method: 'POST',
      headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ provider }),
    })
    assert.equal((await shownError(person, response)).status, 400, provider)
  }
  assert.deepEqual((await everyRow(service)).account_sign_ins, [])
})

// proves S076
test('a response to a sign-in to /me is accepted at the callback of its own provider only (mix-up)', async (t) => {
  const service = await world(t)
  const { browser, baseUrl } = service
  const person = browser()
  await person.open(`${baseUrl}/me`)
  await person.press('Sign in with GitHub')
  const state =
    new URL(person.page.url).searchParams.get('state') ?? assert.fail(person.page.url.href)
  for (const callback of ['google', 'microsoft']) {
    const response = await person.request(
      `${baseUrl}/auth/${callback}/callback?code=x&state=${state}`,
      {
        headers: { Accept: 'text/html' },
      },
    )
    assert.equal(response.status, 403, callback)
  }
  await person.press('Ada Lovelace')
  assert.equal(person.page.url.pathname, '/me')
  assert.match(textOf(person.page.text), /GitHub account/)
})
