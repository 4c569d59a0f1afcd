import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { webhookOf } from '../support/actors/webhooks.ts'
import { expectedSignature, receiver } from '../support/webhook-receiver.ts'
import { type World, world } from '../support/world.ts'

const SECRET = /whsec_[A-Za-z0-9+/=]+/

async function openSettings({ agent, browser, baseUrl }: World) {
  const tenant = await agent.createTenant()
  const owner = browser()
  await claim(tenant, owner)
  await owner.open(`${baseUrl}/account/projects/${tenant.id}/settings/webhooks`)
  const audit = async (): Promise<string[]> =>
    (await tenant.manage('GET', '/api/audit')).json.actions
      .map(
        ({ actor, action }: { actor: string; action: string }) =>
          `${actor.split(':')[0]} ${action}`,
      )
      .filter((line: string) => line.includes('webhook.'))
  const idOf = (): string => /wh_\w{16}/.exec(owner.page.url.pathname)?.[0] ?? ''
  return { tenant, owner, audit, idOf, settings: owner.page.url }
}

// proves C283
test('an owner adds an endpoint, tests it, changes it and deletes it on the page', async (t) => {
  const service = await world(t)
  const app = await receiver(t)
  const { tenant, owner, audit, idOf, settings } = await openSettings(service)
  await owner.press('Add endpoint', { url: app.url })
  assert.equal(owner.page.status, 200)
  const [secret = ''] = SECRET.exec(owner.page.text) ?? []
  assert.match(secret, SECRET)

  await owner.press('Send a test')
  assert.match(textOf(owner.page.text), /The test was delivered: 200 after \d+ ms/)
  const [delivery] = app.received
  assert.ok(delivery)
  assert.equal(delivery.headers['webhook-signature'], expectedSignature(secret, delivery))
  app.answer = 500
  await owner.press('Send a test')
  assert.match(textOf(owner.page.text), /The test failed: 500 after \d+ ms/)

  await owner.press('Pause')
  const path = `/api/webhooks/${idOf()}`
  assert.equal((await webhookOf(tenant, path)).disabled_reason, 'owner')
  await owner.press('Enable')
  await owner.press('Save endpoint', { url: `${app.url}/new`, event_token_refreshed: 'yes' })
  const changed = await webhookOf(tenant, path)
  assert.deepEqual(
    [changed.status, changed.url, changed.events.length],
    ['active', `${app.url}/new`, 5],
  )
  await owner.press('Replace the secret')
  assert.notEqual(SECRET.exec(owner.page.text)?.[0], secret)
  await owner.press('Send them again', { after: '0' })
  assert.match(textOf(owner.page.text), /The events are being sent again/)
  await owner.press('Delete this endpoint')
  assert.equal(owner.page.url.pathname, settings.pathname)
  assert.deepEqual((await tenant.manage('GET', '/api/webhooks')).json.webhooks, [])
  assert.deepEqual(await audit(), [
    'account webhook.created',
    'account webhook.changed',
    'account webhook.changed',
    'account webhook.changed',
    'account webhook.secret_rotated',
    'account webhook.replayed',
    'account webhook.deleted',
  ])
})

// proves C284, S026
test('a signing secret is shown once: to the session that made it, for a minute, and a reload replaces nothing', async (t) => {
  const service = await world(t)
  const { tenant, owner, audit, settings } = await openSettings(service)
  await owner.press('Add endpoint', { url: 'https://app.example.com/hook' })
  const [secret = ''] = SECRET.exec(owner.page.text) ?? []
  const page = owner.page.url
  await owner.open(page)
  assert.ok(owner.page.text.includes(secret), 'a reload within the minute')

  const second = service.browser()
  await second.open(settings)
  await second.press('Sign in with Google')
  await second.press('Ada Lovelace')
  const stolen = owner.cookies.header({ url: page, method: 'GET', sameSite: true }) ?? ''
  const shown = /gatehouse_shown=[^;]+/.exec(stolen)?.[0] ?? ''
  assert.ok(!shown.includes(secret) && shown.length > 60, 'the cookie is sealed')
  const own = second.cookies.header({ url: page, method: 'GET', sameSite: true }) ?? ''
  const other = await second.request(page, {
    headers: { Accept: 'text/html', Cookie: `${own}; ${shown}` },
  })
  assert.equal(other.status, 200)
  assert.doesNotMatch(await other.text(), SECRET, 'another session of the same owner')

  await owner.open(settings)
  await owner.press('Add endpoint', { url: 'https://app.example.com/second' })
  assert.notEqual(SECRET.exec(owner.page.text)?.[0], secret)
  const secondPage = owner.page.url
  await owner.open(page)
  assert.doesNotMatch(owner.page.text, SECRET, 'the page of the other endpoint')
  const Cookie = owner.cookies.header({ url: secondPage, method: 'GET', sameSite: true }) ?? ''
  const open = () => owner.request(secondPage, { headers: { Accept: 'text/html', Cookie } })
  assert.match(await (await open()).text(), SECRET)
  service.clock.advance({ seconds: 60 })
  const late = await open()
  assert.doesNotMatch(await late.text(), SECRET, 'after a minute, whatever the browser keeps')
  assert.equal((await audit()).length, 2)
  assert.equal((await tenant.manage('GET', '/api/webhooks')).json.webhooks.length, 2)
})

test('a rejected endpoint says why at its field and keeps what was chosen', async (t) => {
  const service = await world(t)
  const { tenant, owner, audit, settings } = await openSettings(service)
  const refused = await tenant.manage('POST', '/api/webhooks', {
    url: 'http://app.example.com/hook',
  })
  await owner.press('Add endpoint', {
    url: 'http://app.example.com/hook',
    event_login_started: 'yes',
  })
  assert.equal(owner.page.status, refused.status)
  assert.ok(
    owner.page.text.replaceAll('&quot;', '"').includes(`<p>${refused.json.error.message}</p>`),
  )
  assert.match(
    owner.page.text,
    /name="url" type="url" value="http:\/\/app\.example\.com\/hook"[^>]* aria-invalid="true"/,
  )
  assert.match(owner.page.text, /name="event_login_started" value="yes" checked/)
  const none = new URLSearchParams({ csrf: csrfOf(owner), url: 'https://app.example.com/hook' })
  await owner.request(settings, {
    method: 'POST',
    body: none,
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  })
  await owner.open(settings)
  assert.equal(owner.page.status, 400)
  assert.deepEqual(await audit(), [])
})
