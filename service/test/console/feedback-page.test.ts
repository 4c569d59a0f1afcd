import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FEEDBACK_MAX_CHARACTERS, FEEDBACK_PER_HOUR } from '@gatehouse-auth/contract'
import type { Browser } from '../support/actors/browser.ts'
import { claim } from '../support/actors/claim.ts'
import { csrfOf } from '../support/actors/csrf.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { type World, world } from '../support/world.ts'

const messages = async (here: World): Promise<unknown[]> =>
  ((await everyRow(here)).feedback ?? []).map((row) => {
    const { tenant_id, kind, text } = row as { tenant_id: string; kind: string; text: string }
    return [tenant_id, kind, text]
  })

async function ownerAtForm(here: World): Promise<{ owner: Browser; tenantId: string }> {
  const tenant = await here.agent.createTenant()
  const owner = here.browser()
  await claim(tenant, owner)
  await owner.open(`${here.baseUrl}/feedback`)
  return { owner, tenantId: tenant.id }
}

// proves C296
test('an owner sends feedback on the web, within the limits of the API', async (t) => {
  const here = await world(t)
  const { owner, tenantId } = await ownerAtForm(here)
  await owner.press('Send', { feedback: 'The quick start\nworked.' })
  assert.deepEqual([owner.page.status, owner.page.url.search], [200, '?done=sent'])
  assert.match(owner.page.text, /Sent\. Thank you\./)
  assert.deepEqual(await messages(here), [[tenantId, 'service', 'The quick start\nworked.']])

  await owner.press('Send', { feedback: '  ' })
  assert.equal(owner.page.status, 400)
  assert.match(owner.page.text, /Write something\./)
  // Longer than the body of other forms, with characters that take nine bytes each.
  const long = '→'.repeat(FEEDBACK_MAX_CHARACTERS)
  await owner.press('Send', { feedback: `${long}→` })
  assert.equal(owner.page.status, 400)
  await owner.press('Send', { feedback: long })
  assert.equal(owner.page.status, 200)
  for (let sent = 2; sent < FEEDBACK_PER_HOUR; sent++) {
    await owner.press('Send', { feedback: `Message ${sent}` })
  }
  await owner.press('Send', { feedback: 'One too many' })
  assert.equal(owner.page.status, 429)
  assert.match(owner.page.text, /20 times an hour/)
  assert.match(owner.page.text, />\s*One too many<\/textarea>/, 'what was typed is kept')
  assert.equal((await messages(here)).length, FEEDBACK_PER_HOUR)
})

// proves C296
test('rejected feedback is shown again after a redirect, so that Back and Reload repeat no POST', async (t) => {
  const here = await world(t)
  const { owner, tenantId } = await ownerAtForm(here)
  const body = new URLSearchParams({
    csrf: csrfOf(owner),
    project: tenantId,
    feedback: 'x'.repeat(FEEDBACK_MAX_CHARACTERS + 1),
  })
  for (const [feedback, status] of [
    [' ', 303],
    [body.get('feedback') ?? '', 400],
  ] as const) {
    body.set('feedback', feedback)
    const response = await owner.request(`${here.baseUrl}/feedback`, { method: 'POST', body })
    // A text that is too long for the cookie is shown by the response itself: it must not be lost.
    assert.deepEqual(
      [response.status, response.headers.get('location')],
      [status, status === 303 ? '/feedback' : null],
    )
  }
  assert.deepEqual(await messages(here), [])
})

// proves C296
test('feedback is only sent for a project of the signed-in owner', async (t) => {
  const here = await world(t)
  const other = await here.agent.createTenant()
  const { owner } = await ownerAtForm(here)
  await owner.press('Send', { feedback: 'x', project: other.id })
  assert.equal(owner.page.status, 404)
  const visitor = here.browser()
  await visitor.open(`${here.baseUrl}/feedback`)
  assert.match(visitor.page.text, /sign in with the account that owns it/)
  await visitor.press('Sign in with Google')
  await visitor.press('Grace Hopper')
  assert.equal(visitor.page.url.pathname, '/feedback')
  assert.match(visitor.page.text, /You own no project yet/)
  assert.deepEqual(await messages(here), [])
})
