import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import type { DocsSearch, Env, HttpDependencies } from '../../src/http/dependencies.ts'
import { docsRoutes } from '../../src/http/discovery/docs/docs.ts'
import { docsSearch } from '../../src/http/discovery/docs/search-index.ts'
import { readControls } from '../support/actors/html-controls.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

/** What a developer types → what must be among the first three results: a section, or any section of a page. */
const QUERIES = [
  ['refresh', '/docs/sessions#refresh'],
  ['invalid redirect_uri', '/docs/errors#invalidRedirectUri'],
  ['webhook signature', '/docs/webhooks#receive-events'],
  ['invalidRefreshToken', '/docs/errors#invalidRefreshToken'],
  ['verify token', '/docs/sessions#verify'],
  ['disallowed_useragent', '/docs/social-login#in-app-browsers-and-webviews'],
  ['claude code', '/docs/mcp'],
  ['wildcard', '/docs/callbacks'],
  ['delete user', '/docs/api/users-and-events#deleteUser'],
  ['Next.js', '/docs/recipes/next'],
  ['nextjs', '/docs/recipes/next'],
  ['webhok', '/docs/webhooks'],
  ['rotate key', '/docs/tenants'],
  ['go to production', '/docs/self-hosting'],
  ['This sign-in link has a wrong return address', '/docs/errors#invalidRedirectUri'],
  ['There’s no app at this link', '/docs/errors#tenantNotFound'],
  ['This sign-in belongs to another browser', '/docs/errors#loginOtherBrowser'],
  ['too many sign-ins right now', '/docs/errors#rateLimited'],
  ['how do I log a user out', '/docs/users'],
  ['sign out everywhere', '/docs/your-data'],
  ['fastapi', '/docs/recipes/fastapi'],
  ['flsk', '/docs/recipes/flask'],
  ['sveltkit', '/docs/recipes/sveltekit'],
  ['react native', '/docs/recipes/expo'],
  ['vue', '/docs/recipes/nuxt'],
  ['golang', '/docs/recipes/go'],
  ['pricing', '/docs/limits'],
  ['how many users are free', '/docs/limits'],
  ['rate limit', '/docs/limits'],
  ['block a user', '/docs/users'],
  ['ban user', '/docs/users'],
  ['invite someone', '/docs/invitations'],
  ['restrict to my company', '/docs/settings'],
  ['allowed domains', '/docs/settings'],
  ['own google client', '/docs/providers'],
  ['microsoft entra', '/docs/providers'],
  ['apple private key', '/docs/providers'],
  ['sso openid', '/docs/providers'],
  ['import users from auth0', '/docs/leaving'],
  ['export users', '/docs/users'],
  ['gdpr delete my data', '/docs/your-data'],
  ['logo on the consent page', '/docs/brand'],
  ['verify domain', '/docs/brand'],
  ['playwright tests', '/docs/testing'],
  ['who changed the settings', '/docs/audit'],
  ['docker', '/docs/self-hosting'],
  ['mcp tools', '/docs/mcp'],
  ['claim a project', '/docs/tenants'],
  ['quick start', '/docs/quick-start'],
  ['rate limted', '/docs/errors#rateLimited'],
  ['localhost port callback', '/docs/callbacks'],
  ['long polling events', '/docs/events'],
  ['one time code pkce', '/docs/social-login'],
  ['breaking changes', '/docs/versioning'],
  ['roles and permissions', '/docs/users'],
  ['why did the sign-in fail', '/docs/refusals'],
] as const

// proves C294
test('the documentation’s search finds what developers type, without a script', async (t) => {
  const { agent } = await world(t)
  const missed: string[] = []
  for (const [query, expected] of QUERIES) {
    const { status, text } = await agent.call('GET', `/docs/search?q=${encodeURIComponent(query)}`)
    assert.equal(status, 200, query)
    const best = readControls(text.split('id="results"')[1] ?? '')
      .links.map(({ href }) => href)
      .slice(0, 3)
    const isExpected = (href: string) =>
      (expected.includes('#') ? href : href.replace(/#.*$/, '')) === expected
    if (!best.some(isExpected)) {
      missed.push(`${query}: ${best.join(', ')} and not ${expected}`)
    }
  }
  assert.deepEqual(missed, [])
})

test('a result has the title of its page and section, and the words it was found by', async (t) => {
  const { agent } = await world(t)
  const { text } = await agent.call('GET', '/docs/search?q=superseded+refresh')
  assert.match(
    text,
    /<p class="place">Errors<\/p>\s*<p class="found"><a href="\/docs\/errors#refreshTokenSuperseded">refreshTokenSuperseded<\/a><\/p>\s*<p>.*<mark>/,
  )
  assert.match(text, /<input type="search"[^>]* value="superseded refresh"/)
})

test('a search for nothing, for unknown words, for markup or for too much is an ordinary page', async (t) => {
  const { agent } = await world(t)
  const results = async (query: string): Promise<string> => {
    const { status, text, headers } = await agent.call('GET', `/docs/search${query}`)
    assert.equal(status, 200)
    assert.deepEqual(
      [headers.get('x-robots-tag'), headers.get('cache-control')],
      ['noindex', 'no-store'],
    )
    return text.split('id="results"')[1] ?? ''
  }
  assert.match(await results(''), /Type what you look for/)
  assert.match(await results('?q=%20%26%20'), /Type what you look for/)
  assert.match(await results('?q=zzzzqqqq'), /Nothing found/)
  assert.doesNotMatch(await results('?q=%3Cscript%3Ealert(1)%3C/script%3E'), /<script/)
  assert.match(await results(`?q=${'refresh+'.repeat(2_000)}`), /<ol class="results">/)
})

test('a source searches 60 times a minute; a known result is shown again without a limit', {
  skip: slow,
}, async (t) => {
  const { agent, clock } = await world(t)
  const search = (words: string) => agent.call('GET', `/docs/search?q=${words}`)
  for (let left = 60; left > 0; left--) {
    assert.equal((await search(`user+${left}`)).status, 200)
  }
  const refused = await search('user+0')
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  const known = await search('User++60')
  assert.deepEqual([known.status, known.text.includes('<ol class="results">')], [200, true])
  assert.equal((await search('')).status, 200)
  clock.advance({ minutes: 1 })
  assert.equal((await search('user+0')).status, 200)
})

test('the first search builds the index, and other requests are handled meanwhile', async (t) => {
  const { agent } = await world(t)
  let handled = 0
  const searching = agent.call('GET', '/docs/search?q=refresh')
  const requests = (async () => {
    for (; handled < 5; handled++) {
      assert.equal((await agent.call('GET', '/healthz')).status, 200)
    }
  })()
  assert.match((await searching).text, /href="\/docs\/sessions#refresh"/)
  assert.ok(handled > 0)
  await requests
})

test('the results of the last 500 searches are kept, and the oldest makes room', {
  skip: slow,
}, async () => {
  const search = docsSearch('https://login.example.com', false)
  for (let each = 0; each <= 500; each++) {
    await search.find([String(each)])
  }
  assert.equal(search.known(['0']), undefined)
  for (const kept of ['1', '500']) {
    assert.ok(search.known([kept]), kept)
  }
})

const OPERATOR = { name: null, privacyUrl: '/privacy', termsUrl: null, supportUrl: null }

test('a page of the documentation that a person opens builds the index of the search in the background', async () => {
  let built = 0
  const app = new Hono<Env>()
  const ctx = { baseUrl: 'https://login.example.com' }
  docsRoutes(
    app,
    { ctx, operator: OPERATOR, development: false } as unknown as HttpDependencies,
    { build: async () => void built++ } as unknown as DocsSearch,
  )
  assert.equal((await app.request('/docs.md')).status, 200)
  assert.equal(built, 0, 'agents read all pages at once')
  assert.equal((await app.request('/docs')).status, 200)
  assert.equal(built, 1)
})

test('every result of a search leads to an existing heading', { skip: slow }, async (t) => {
  const { agent } = await world(t)
  const anchors = new Map<string, string>()
  for (const word of ['the', 'user', 'error', 'json', 'key']) {
    const { text } = await agent.call('GET', `/docs/search?q=${word}`)
    for (const { href } of readControls(text.split('id="results"')[1]?.split('</ol>')[0] ?? '')
      .links) {
      const [path = '', id] = href.split('#')
      if (!anchors.has(path)) {
        anchors.set(path, (await agent.call('GET', path)).text)
      }
      assert.ok(id === undefined || anchors.get(path)?.includes(` id="${id}"`), href)
    }
  }
})
