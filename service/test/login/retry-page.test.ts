import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TIER_LIMITS } from '@gatehouse-auth/contract'
import { Unavailable } from '../../src/domain/api-error.ts'
import { chargesFor } from '../../src/domain/limits/allowance.ts'
import { activateProvider, ownedTenant } from '../support/actors/providers.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

// proves C350
test('the page of a rate-limited sign-in has a button that leads on once the minute is over, and folds the developer’s part', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  const person = browser()
  for (let start = 0; start < 5; start++) {
    await browser().open(tenant.loginUrl)
  }
  await person.open(`${tenant.loginUrl}?return_to=${encodeURIComponent('/a page')}`)
  assert.equal(person.page.status, 429)
  assert.match(person.page.text, /Too many sign-ins right now/)
  assert.match(
    person.page.text,
    /<details class="detail">\s*<summary>For the app’s developer<\/summary>/,
  )
  assert.doesNotMatch(
    person.page.text.split('<details')[0] ?? '',
    /tenant/i,
    'a word for developers',
  )
  clock.advance({ minutes: 1 })
  await person.follow('Try again')
  await person.press('Ada Lovelace')
  const callback = await person.press('Continue')
  assert.equal(callback.searchParams.get('return_to'), '/a page', 'the same link')
})

// proves C350
test('a database that is out of reach when the provider redirects back consumes no login, also with a client of its owner: Try again continues it', {
  skip: slow,
}, async (t) => {
  const service = await world(t)
  const { app, browser, clock } = service
  const { tenant, owner } = await ownedTenant(service)
  const { attempts, providerClients } = app.ctx.stores
  const away = () => Promise.reject(new Unavailable('away'))
  const signInDuring = async () => {
    clock.advance({ minutes: 1 })
    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    assert.equal(person.page.status, 503)
    assert.match(person.page.text, /Nothing is lost/)
    await person.follow('Try again')
    assert.equal((await person.press('Continue')).host, 'app.example.com')
  }
  t.mock.method(attempts, 'take', away, { times: 1 })
  await signInDuring()
  await activateProvider(service, { tenant, owner }, 'google')
  t.mock.method(attempts, 'find', away, { times: 1 })
  await signInDuring()
  t.mock.method(providerClients, 'find', away, { times: 1 })
  await signInDuring()
})

// proves C350
test('an error that stays has no button to try again', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const person = browser()
  await person.open(`${tenant.loginUrl}?redirect_uri=https://other.example/`)
  assert.equal(person.page.status, 400)
  assert.doesNotMatch(person.page.text, /Try again</)
})

test('at the limit of the month, the consent page does not say to press Continue again', async (t) => {
  const service = await world(t)
  const { app, browser, clock } = service
  const { tenant } = await ownedTenant(service)
  const found = (await app.ctx.stores.tenants.find(tenant.id)) ?? assert.fail('it exists')
  const person = browser()
  await person.open(tenant.loginUrl)
  await person.press('Ada Lovelace')
  await app.ctx.stores.eventCounts.add(
    chargesFor(found, 'authorize', clock.now(), true),
    TIER_LIMITS.free.eventsPerMonth ?? 0,
  )
  clock.advance({ minutes: 1 })
  await person.press('Continue')
  assert.equal(person.page.status, 429)
  assert.doesNotMatch(person.page.text, /Press Continue again/)
})

test('the consent page asks to wait for at most a minute, and not after it', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant()
  const person = browser()
  await person.open(tenant.loginUrl)
  await person.press('Ada Lovelace')
  const { href } = person.page.url
  for (const [ms, retryAfter] of [
    [60_000, '60'],
    [1, '1'],
    [60_001, null],
    [0, null],
    [-60_000, null],
  ] as const) {
    await person.open(`${href}?until=${clock.now() + ms}`)
    const { status, headers } = person.page
    assert.deepEqual(
      [status, headers.get('retry-after')],
      [retryAfter === null ? 200 : 429, retryAfter],
      `${ms} ms`,
    )
  }
})
