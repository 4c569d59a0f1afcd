import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '@gatehouse/contract'
import type { Answer } from '../support/agent.ts'
import type { Page } from '../support/browser.ts'
import { pathOf } from '../support/endpoints.ts'
import { ENGINES } from '../support/engines.ts'
import { world } from '../support/world.ts'

/** What every page says to the browser that shows it. */
function assertGuarded(what: string, { status, headers, text }: Page | Answer, expected: number): void {
  assert.equal(status, expected, what)
  assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/i, what)
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"]) {
    assert.ok(policy.includes(rule), `${what}: ${policy}`)
  }
  assert.doesNotMatch(policy, /unsafe|script-src/)
  assert.deepEqual(
    ['x-frame-options', 'referrer-policy', 'cache-control', 'x-content-type-options', 'cross-origin-opener-policy'].map(
      (name) => headers.get(name),
    ),
    ['DENY', 'no-referrer', 'no-store', 'nosniff', 'same-origin'],
    what,
  )
  assert.match(headers.get('x-request-id') ?? '', /^[\w-]{16}$/)
  assert.doesNotMatch(text, /<script|javascript:|\son[a-z]+=|<iframe|src="http/i)
}

const LIES = {
  Host: 'evil.test',
  'X-Forwarded-Host': 'evil.test',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Port': '444',
  'X-Original-Host': 'evil.test',
  Forwarded: 'host=evil.test;proto=https',
  'X-Original-URL': 'http://evil.test/',
}

for (const engine of ENGINES) {
  test(`[${engine}] every page forbids frames, referrers, caches, scripts and guesses`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    const visit = (path: string) => agent.call('GET', path, { headers: { Accept: 'text/html' } })
    const edge = `/edge/auth/${tenant.id}/google`
    for (const [path, status] of [
      ['/', 200],
      ['/account', 200],
      ['/nothing', 404],
      [`${edge}?redirect_uri=https://evil.example/`, 400],
      [`${edge}?return_to=//evil.example`, 400],
      [`${edge}?return_to=/a&return_to=/b`, 400],
      ['/edge/auth/no-such-tenant/google', 404],
      [`/edge/auth/${(await agent.createTenant(null)).id}/google`, 403],
      ['/auth/google/callback', 403],
      ['/auth/google/callback?code=x&state=y', 403],
      ['/auth/consent/nothing', 410],
    ] as const) {
      assertGuarded(path, await visit(path), status)
    }

    const person = browser()
    await person.open(tenant.loginUrl)
    await person.press('Ada Lovelace')
    assertGuarded('consent', person.page, 200)
    assert.match(person.page.headers.get('content-security-policy') ?? '', /form-action 'self' https:(;| )/)
    for (let others = 0; others < 5; others++) await visit(edge)
    assertGuarded('a full minute', await visit(edge), 429)
    await person.press('Continue')
    assertGuarded('busy', person.page, 429)
    clock.advance({ hours: 72 })
    assertGuarded('an ended tenant', await visit(edge), 410)
    await person.press('Continue')
    assertGuarded('a login that is over', person.page, 410)
  })

  test(`[${engine}] a decision is answered with 303, an empty body, and nothing to keep or pass on`, async (t) => {
    const { agent, browser, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    for (const button of ['Continue', 'Cancel']) {
      clock.advance({ minutes: 1 })
      const person = browser()
      await person.open(tenant.loginUrl)
      await person.press('Ada Lovelace')
      await person.press(button)
      const { status, headers, text } = person.page
      assert.deepEqual([status, text, headers.get('content-type')], [303, '', null])
      assert.ok(headers.get('location')?.startsWith('https://app.example.com/callback?'))
      assert.deepEqual([headers.get('cache-control'), headers.get('referrer-policy')], ['no-store', 'no-referrer'])
      assert.deepEqual(headers.getSetCookie(), [])
    }
    const started = await agent.call('GET', `/edge/auth/${tenant.id}/google`)
    assert.deepEqual([started.status, started.text, started.headers.get('cache-control')], [302, '', 'no-store'])
    assert.match(
      started.headers.get('set-cookie') ?? '',
      /^gatehouse_browser=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test(`[${engine}] no answer repeats what a caller says our name is`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const made = await agent.call('POST', '/api/genesis', { headers: LIES })
    assert.equal(made.json.base_url, baseUrl)
    const key = made.json.coh_management_key
    const tenantId = made.json.tenant_id
    const body = { callback_url: 'https://app.example.com/callback' }
    const answers = [
      made,
      await agent.call('POST', '/api/genesis', { headers: { ...LIES, Accept: 'text/plain' } }),
      await agent.call('POST', '/api/resources/social-login', { key, body, headers: LIES }),
    ]
    const person = browser(LIES)
    await person.open(`${agent.baseUrl}/edge/auth/${tenantId}/google`)
    answers.push({ ...person.page, json: undefined })
    await person.press('Ada Lovelace')
    assert.equal(person.page.url.origin, baseUrl)
    answers.push({ ...person.page, json: undefined })
    const landed = await person.press('Continue')
    assert.equal(landed.origin, 'https://app.example.com')

    clock.advance({ minutes: 1 })
    for (const endpoint of ENDPOINTS.filter(({ method }) => method !== 'DELETE')) {
      for (const Accept of ['application/json', 'text/html']) {
        const query = endpoint.id === 'listUsers' || endpoint.id === 'listEvents' ? '?limit=1' : ''
        const path = pathOf(endpoint, { tenantId }) + query
        answers.push(await agent.call(endpoint.method, path, { key, headers: { ...LIES, Accept } }))
      }
    }
    for (const path of ['/', '/docs/errors', '/nothing', '/api/nothing', '/auth/consent/x', '/auth/google/callback']) {
      for (const Accept of ['text/html', '*/*'])
        answers.push(await agent.call('GET', path, { headers: { ...LIES, Accept } }))
    }
    for (const { status, headers, text } of answers) {
      assert.ok(status < 500, `${status} ${text}`)
      assert.doesNotMatch(JSON.stringify([...headers]) + text, /evil\.test|:444/)
    }
    assert.ok(answers.some(({ headers }) => headers.get('link')?.startsWith(`<${baseUrl}/api/social-login/`)))
  })
}
