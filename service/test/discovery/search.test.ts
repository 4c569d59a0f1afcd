import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readControls } from '../support/actors/html-controls.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

/** What a developer types → a page that must be among the first three results. */
const QUERIES = [
  ['refresh', '/docs/sessions#refresh'],
  ['invalid redirect_uri', '/docs/errors#invalidRedirectUri'],
  ['webhook signature', '/docs/webhooks#receive-events'],
  ['invalidRefreshToken', '/docs/errors#invalidRefreshToken'],
  ['verify token', '/docs/sessions#verify'],
  ['disallowed_useragent', '/docs/social-login#in-app-browsers-and-webviews'],
  ['claude code', '/docs/mcp#add-it-to-your-agent'],
  ['wildcard', '/docs/callbacks'],
  ['delete user', '/docs/api/users-and-events#deleteUser'],
  ['Next.js', '/docs/recipes/next'],
] as const

test('the documentation’s search finds what developers type, without a script', async (t) => {
  const { agent } = await world(t)
  for (const [query, expected] of QUERIES) {
    const { status, text } = await agent.call('GET', `/docs/search?q=${encodeURIComponent(query)}`)
    assert.equal(status, 200)
    const found = readControls(text.split('id="results"')[1] ?? '').links.map(({ href }) => href)
    const best = found.slice(0, 3)
    assert.ok(best.includes(expected), `${query}: ${best.join(', ')}`)
  }
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
    assert.deepEqual([headers.get('x-robots-tag'), headers.get('cache-control')], ['noindex', 'no-store'])
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
  for (let left = 60; left > 0; left--) assert.equal((await search(`user+${left}`)).status, 200)
  const refused = await search('user+0')
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  const known = await search('User++60')
  assert.deepEqual([known.status, known.text.includes('<ol class="results">')], [200, true])
  assert.equal((await search('')).status, 200)
  clock.advance({ minutes: 1 })
  assert.equal((await search('user+0')).status, 200)
})

test('the index of the search is built in the background, once, and other requests are handled meanwhile', async (t) => {
  const { app, agent } = await world(t)
  let handled = 0
  const building = app.indexDocs()
  const requests = (async () => {
    for (; handled < 5; handled++) assert.equal((await agent.call('GET', '/healthz')).status, 200)
  })()
  await building
  assert.ok(handled > 0)
  await requests
  const { text } = await agent.call('GET', '/docs/search?q=refresh')
  assert.match(text, /href="\/docs\/sessions#refresh"/)
})

test('every result of a search leads to an existing heading', { skip: slow }, async (t) => {
  const { agent } = await world(t)
  const anchors = new Map<string, string>()
  for (const word of ['the', 'user', 'error', 'json', 'key']) {
    const { text } = await agent.call('GET', `/docs/search?q=${word}`)
    for (const { href } of readControls(text.split('id="results"')[1]?.split('</ol>')[0] ?? '').links) {
      const [path = '', id] = href.split('#')
      if (!anchors.has(path)) anchors.set(path, (await agent.call('GET', path)).text)
      assert.ok(id === undefined || anchors.get(path)?.includes(` id="${id}"`), href)
    }
  }
})
