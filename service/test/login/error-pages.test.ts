import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_ERRORS } from '@gatehouse-auth/contract'
import { blockHost } from '../../src/operations/tenants/blocked-hosts.ts'
import { suspendTenant } from '../../src/operations/tenants/suspension.ts'
import type { Browser } from '../support/actors/browser.ts'
import { decode, readControls } from '../support/actors/html-controls.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { world } from '../support/world.ts'

const APP = 'https://app.example.com/callback'

/** The links of the card, except to the page itself. */
const waysBack = ({ page }: Browser): string[] =>
  readControls(/<main>.*<\/main>/s.exec(page.text)?.[0] ?? '')
    .links.map(({ href }) => href)
    .filter(Boolean)

/** One primary button, and a folded report for the developer: the code, the fix, the request, no address of the visitor. */
function assertLeadsOn({ page }: Browser): void {
  assert.equal(page.text.match(/class="button"/g)?.length, 1, page.url.href)
  const [details = ''] = /<details.*?<\/details>/s.exec(page.text) ?? []
  assert.doesNotMatch(textOf(page.text.replace(details, '')), /tenant/i, page.url.search)
  const report = textOf(details)
  assert.match(
    report,
    /For the app’s developer.* \w+ \(\d{3}\) at GET \/edge\/auth\/:tenantId\/\S+ What happened: .+ Fix: .+/s,
  )
  assert.match(report, /Request [\w-]+, \d{4}-\S+Z \S+\/docs\/errors#\w+/)
}

// proves C288
test('an error of a login link leads back to the app by its registered host, never to an unregistered one', async (t) => {
  const { agent, app, browser } = await world(t)
  const tenant = await agent.createTenant([APP, 'http://localhost:3000/callback'])
  const user = browser()
  const open = async (query: string): Promise<string[]> => {
    await user.open(`${tenant.loginUrl}?${new URLSearchParams(query)}`)
    assert.ok(user.page.status >= 400, query)
    assertLeadsOn(user)
    return waysBack(user)
  }
  assert.deepEqual(await open(`redirect_uri=${APP}&return_to=https://evil.example`), [
    'https://app.example.com/',
  ])
  assert.deepEqual(await open('redirect_uri=http://localhost:3000/callback&return_to=//x'), [
    'http://localhost:3000/',
  ])
  for (const unregistered of [
    'https://evil.example/callback',
    'https://app.example.com@evil.example/',
    'javascript:1',
  ]) {
    assert.deepEqual(
      await open(`redirect_uri=${unregistered}`),
      ['https://app.example.com/'],
      unregistered,
    )
    assert.doesNotMatch(user.page.text, /href="[^"]*evil/)
  }
  await user.open(
    `${tenant.loginUrl.replace('/google', '/github')}?redirect_uri=${encodeURIComponent(APP)}`,
  )
  assert.deepEqual(
    waysBack(user),
    ['https://app.example.com/'],
    'a provider that is not switched on',
  )

  await blockHost(app.ctx, 'app.example.com', 'Phishing.')
  assert.deepEqual(await open(`redirect_uri=${APP}`), [], 'no link to a blocked host')
  assert.deepEqual(await open('redirect_uri=x'), [])
  assert.equal(await suspendTenant(app.ctx, tenant.id, 'Phishing.'), true)
  assert.deepEqual(
    await open('redirect_uri=http://localhost:3000/callback'),
    [],
    'no link of a suspended app',
  )
  await user.open(tenant.loginUrl.replace(tenant.id, 'no-such-tenant'))
  assertLeadsOn(user)
  assert.deepEqual(waysBack(user), [])
  assert.match(textOf(user.page.text), /There’s no app at this link Check the link/)
  assert.match(textOf(user.page.text), /Try again If this keeps happening, send the report below/)
})

test('a used-up minute says in how many seconds to try again', async (t) => {
  const { agent, browser, clock } = await world(t)
  const tenant = await agent.createTenant([APP])
  for (let start = 0; start < 5; start++) {
    await browser().open(tenant.loginUrl)
  }
  clock.advance({ seconds: 18 })
  const user = browser()
  await user.open(`${tenant.loginUrl}?redirect_uri=${encodeURIComponent(APP)}`)
  assert.equal(user.page.status, 429)
  const seconds = user.page.headers.get('retry-after')
  assert.equal(seconds, '42')
  assert.match(user.page.text, /Try again <span data-seconds="42">in 42 seconds<\/span>\./)
  assert.deepEqual(waysBack(user), ['https://app.example.com/'])
})

// proves C288
test('each error of a sign-in has one primary button, and folded below it the exact fix in a report to copy', async (t) => {
  const { agent, app, browser } = await world(t)
  const [tenant, full, suspended] = [
    await agent.createTenant([APP]),
    await agent.createTenant([APP]),
    await agent.createTenant([APP]),
  ]
  const { json: unready } = await agent.call('POST', '/api/genesis')
  const { json: invited } = await tenant.manage('POST', '/api/social-login/invitations', {
    email: 'ada@example.com',
  })
  await tenant.manage('DELETE', `/api/social-login/invitations/${invited.invitation.id}`)
  await suspendTenant(app.ctx, suspended.id, 'Phishing.')
  const elsewhere = browser()
  await elsewhere.open(tenant.loginUrl)
  await elsewhere.press('Ada Lovelace')
  for (let start = 0; start < 5; start++) {
    await browser().open(full.loginUrl)
  }

  for (const [url, code, button, happened] of [
    [
      `${tenant.loginUrl}?redirect_uri=https://app.example.com/calback`,
      'invalidRedirectUri',
      'Go to app.example.com',
      /https:\/\/app\.example\.com\/callback/,
    ],
    [tenant.loginUrl.replace(tenant.id, 'no-such-tenant'), 'tenantNotFound', 'Try again', /tenant/],
    [
      tenant.loginUrl.replace(tenant.id, unready.tenant_id),
      'notProvisioned',
      'Try again',
      /social-login/,
    ],
    [
      tenant.loginUrl.replace(/google$/, 'github'),
      'providerNotEnabled',
      'Go to app.example.com',
      /github/i,
    ],
    [elsewhere.page.url.href, 'loginOtherBrowser', 'Try again', /another browser/],
    // The owner withdrew it. An account that the owner refuses returns to the app (invitations.test.ts).
    [invited.invitation.url, 'invitationExpired', 'Go to app.example.com', /withdrawn|expired/],
    [suspended.loginUrl, 'tenantSuspended', 'Try again', /suspended/],
    [full.loginUrl, 'rateLimited', 'Try again', /minute/],
  ] as const) {
    const user = browser()
    await user.open(url)
    const { text } = user.page
    const [, primary = ''] = /<a class="button" [^>]*>(.*?)<\/a>/.exec(text) ?? []
    assert.equal(textOf(primary).trim(), button, code)
    const [, pre = ''] =
      /<details class="detail">.*?aria-label="Report"[^>]*>(.*?)<\/pre>/s.exec(text) ?? []
    const report = decode(pre.replaceAll(/<[^>]*>/g, '')).split('\n')
    assert.match(report[0] ?? '', new RegExp(`^${code} \\(${user.page.status}\\) at GET /`))
    assert.match(report[1] ?? '', happened, code)
    assert.equal(report[2], `Fix: ${API_ERRORS[code].remedy.replaceAll('`', '')}`)
    assert.equal(report[4], `${new URL(tenant.loginUrl).origin}/docs/errors#${code}`)
  }
})
