import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { claim, openClaim, requestClaim } from '../support/actors/claim.ts'
import { readControls } from '../support/actors/html-controls.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { world } from '../support/world.ts'

const OPERATOR = {
  OPERATOR_NAME: 'Smith & <Sons>',
  PRIVACY_URL: 'https://example.com/privacy',
  TERMS_URL: 'https://example.com/terms?a=1&b=2',
  SUPPORT_URL: 'https://example.com/support',
}

/** The last line of a page. */
function operatorLine(page: string) {
  const [nav = ''] = /<nav class="operator".*?<\/nav>/s.exec(page) ?? []
  const { links } = readControls(nav)
  return {
    runBy: /Run by <bdi>(.*?)<\/bdi>/.exec(nav)?.[1],
    links: links.map(({ text, href }) => `${text} ${href}`),
  }
}

// proves C342
test('consent, claim, account and error pages say who runs the service, with its links', async (t) => {
  const { agent, browser, baseUrl } = await world(t, { env: OPERATOR })
  const tenant = await agent.createTenant()
  const visitor = browser()
  const shown: Record<string, string> = {}
  await visitor.open(tenant.loginUrl)
  await visitor.press('Ada Lovelace')
  shown.consent = visitor.page.text
  const owner = browser()
  await openClaim(owner, await requestClaim(tenant))
  shown.claim = owner.page.text
  await claim(tenant, owner)
  shown['claim outcome'] = owner.page.text
  for (const at of [
    '/account',
    `/account/projects/${tenant.id}`,
    '/c/unknown',
    '/no-such-page',
    '/',
    '/docs',
  ]) {
    await owner.open(`${baseUrl}${at}`)
    shown[at] = owner.page.text
  }
  await browser().open(`${baseUrl}/account`)
  for (const [name, page] of Object.entries(shown)) {
    const { runBy, links } = operatorLine(page)
    assert.equal(runBy, 'Smith &amp; &lt;Sons&gt;', name)
    for (const link of [
      'Privacy https://example.com/privacy',
      'Terms https://example.com/terms?a=1&b=2',
      'Support https://example.com/support',
    ]) {
      assert.ok(links.includes(link), `${name}: ${links}`)
    }
  }
  const redirect = await agent.call('GET', '/privacy')
  assert.equal(redirect.status, 302)
  assert.equal(redirect.headers.get('location'), 'https://example.com/privacy')
})

// proves C351
test('without PRIVACY_URL pages link to a generated page that says what is stored, for how long and who sees it', async (t) => {
  const { agent, baseUrl, browser } = await world(t)
  const visitor = browser()
  await visitor.open(`${baseUrl}/no-such-page`)
  const { runBy, links } = operatorLine(visitor.page.text)
  assert.equal(runBy, undefined, 'it names no one without a name')
  assert.ok(links.includes('Privacy /privacy'))
  assert.doesNotMatch(links.join(), /Terms|Support/)
  const page = await agent.call('GET', '/privacy')
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const text = textOf(page.text)
  assert.match(
    text,
    /generated because the operator of this service hasn’t published a privacy policy/,
  )
  for (const heading of ['What is stored', 'For how long', 'How to remove it', 'Who sees it']) {
    assert.ok(text.includes(heading), heading)
  }
})

// proves C351
test('the durations of the generated privacy page are those of docs/storage.md', async (t) => {
  const { agent } = await world(t)
  const text = textOf((await agent.call('GET', '/privacy')).text)
  const storage = readFileSync(
    path.resolve(import.meta.dirname, '../../../docs/storage.md'),
    'utf8',
  ).replaceAll(/\s+/g, ' ')
  for (const [shown, stored] of [
    [/you don’t finish: 10 minutes/, /login in progress.*?It expires after ten minutes/],
    [
      /30 days without use, or 365 days/,
      /once it has expired: 30 days without a refresh, or a year in total/,
    ],
    [/deleted with all its data after 72 hours/, /A guest expires 72 hours after its creation/],
    [
      /signed in to it for 30 days without use/,
      /sign-out, "sign out everywhere", 30 days without use/,
    ],
    [/for 30 minutes, until you sign out of that page/, /It ends after 30 minutes/],
    [
      /after 30 days this service removes what it has/,
      /deletes the user 30 days after the request/,
    ],
    [
      /used for at most two hours, as a keyed hash/,
      /Minute and hour counters are swept after two hours/,
    ],
    [/An account to manage apps: it can’t be deleted yet/, /accounts can't be deleted yet/],
    [
      /Not stored: passwords, the provider’s tokens, IP addresses/,
      /No database contains these.*?providers' tokens.*?IP addresses/,
    ],
  ] as const) {
    assert.match(text, shown)
    assert.match(storage, stored)
  }
})
