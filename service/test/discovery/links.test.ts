import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_PAGE } from '../../src/http/discovery/docs/page-list.ts'
import type { Agent } from '../support/actors/agent.ts'
import { readControls } from '../support/actors/html-controls.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

interface Seen {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** All links to this service in a document of any type. */
function linksIn({ type, text }: Seen, baseUrl: string): string[] {
  if (type.startsWith('text/html')) {
    return readControls(text).links.map(({ href }) => href)
  }
  if (type.includes('xml')) {
    return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, link = '']) => link)
  }
  if (type.includes('json')) {
    return []
  }
  // Markdown and plain text: links, and bare URLs of pages. Bare URLs of endpoints are not followed.
  const marked = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const bare = [...text.matchAll(/https?:\/\/[^\s<>`"')\]]+(?<![.,;:])/g)].map(([link]) => link)
  return [
    ...marked,
    ...bare.filter((link) => link.startsWith(baseUrl) && PAGE.test(link.slice(baseUrl.length))),
  ]
}

const PAGE =
  /^\/(docs|developers|offerings|status|feedback|account(?!\/insights)|auth\.md|llms|openapi|sitemap|robots|\.well-known)\b/

/** All anchors of a page. */
const anchorsIn = ({ text }: Seen): Set<string> =>
  new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))

/** A hash that no element of an HTML page has. */
const isMissingAnchor = (page: Seen, hash: string): boolean =>
  hash !== '' &&
  page.type.startsWith('text/html') &&
  !anchorsIn(page).has(decodeURIComponent(hash.slice(1)))

async function open(agent: Agent, path: string): Promise<Seen> {
  const { status, headers, text } = await agent.call('GET', path, {
    headers: { Accept: 'text/html,*/*;q=0.8' },
  })
  return { status, type: headers.get('content-type') ?? '', text }
}

/** The links of a page to this site. A package is no text, and has none. */
function ownLinksIn(page: Seen, baseUrl: string, path: string): URL[] {
  if (page.type.includes('gzip')) {
    return []
  }
  const urls = linksIn(page, baseUrl).map((link) => new URL(link, `${baseUrl}${path}`))
  return urls.filter(({ origin }) => origin === baseUrl)
}

async function crawl(
  agent: Agent,
  baseUrl: string,
  start: readonly string[],
): Promise<{ seen: Map<string, Seen>; broken: string[] }> {
  const seen = new Map<string, Seen>()
  const broken: string[] = []
  const waiting = start.map((path) => ({ path, hash: '', from: 'the start' }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, hash, from } = next
    let page = seen.get(path)
    if (page === undefined) {
      page = await open(agent, path)
      seen.set(path, page)
      if (page.status !== 200) {
        broken.push(`${from} → ${path}: ${page.status}`)
      }
      for (const url of ownLinksIn(page, baseUrl, path)) {
        waiting.push({ path: url.pathname + url.search, hash: url.hash, from: path })
      }
    }
    if (isMissingAnchor(page, hash)) {
      broken.push(`${from} → ${path}${hash}: no such anchor`)
    }
  }
  return { seen, broken }
}

// proves C017
test('every internal link works, from the front page, the docs, the sitemap and llms.txt', {
  skip: slow,
}, async (t) => {
  const { agent, baseUrl } = await world(t)
  const { seen, broken } = await crawl(agent, baseUrl, [
    '/',
    '/docs',
    '/sitemap.xml',
    '/llms.txt',
    '/auth.md',
    '/robots.txt',
  ])
  assert.deepEqual(broken, [])
  // Every page must be reachable by links, as HTML and as Markdown.
  const missed = EVERY_PAGE.flatMap(({ path }) => [path, `${path}.md`]).filter(
    (path) => !seen.has(path),
  )
  assert.deepEqual(missed, [])
  for (const path of [
    '/openapi.json',
    '/llms-full.txt',
    '/.well-known/mcp.json',
    '/.well-known/security.txt',
    '/account',
  ]) {
    assert.ok(seen.has(path), path)
  }
})

// proves C151
test('a 404 links to the sitemap, llms.txt, the docs and the developer page', async (t) => {
  const { agent, baseUrl } = await world(t)
  const page = await agent.call('GET', '/docs/nothing', { headers: { Accept: 'text/html' } })
  assert.equal(page.status, 404)
  const links = readControls(page.text).links.map(({ href }) => href)
  const text = await agent.call('GET', '/docs/nothing.md', { headers: { Accept: 'text/markdown' } })
  assert.equal(text.status, 404)
  for (const link of ['/sitemap.xml', '/llms.txt', '/docs', '/developers']) {
    assert.ok(links.includes(link), link)
    assert.ok(text.text.includes(`${baseUrl}${link}`), link)
  }
  const json = await agent.call('GET', '/docs/nothing', { headers: { Accept: 'application/json' } })
  assert.equal(json.status, 404)
  assert.equal(json.json.error.code, 'unknownRoute')
  const api = await agent.call('GET', '/api/statuss', { headers: { Accept: 'text/html' } })
  assert.equal(api.json.error.details.nearest, 'GET /api/status')
})

test('another method at the address of a page is a 405 that lists its methods, in the form that the client accepts', async (t) => {
  const { agent } = await world(t)
  for (const [method, path, allow] of [
    ['POST', '/docs', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/', 'GET, HEAD, OPTIONS'],
    ['PUT', '/feedback', 'GET, POST, HEAD, OPTIONS'],
  ] as const) {
    const json = await agent.call(method, path, { headers: { Accept: 'application/json' } })
    assert.deepEqual([json.status, json.headers.get('allow')], [405, allow], path)
    assert.equal(json.json.error.code, 'methodNotAllowed')
    const page = await agent.call(method, path, { headers: { Accept: 'text/html' } })
    assert.equal(page.status, 405)
    assert.match(page.text, new RegExp(`<h1>.*</h1>[\\s\\S]*not ${method}\\.`))
  }
  for (const path of ['/docs/nothing', '/nothing', '/metrics']) {
    assert.equal(
      (await agent.call('POST', path, { headers: { Accept: 'text/html' } })).status,
      404,
      path,
    )
  }
  const { status, headers } = await agent.call('OPTIONS', '/docs')
  assert.deepEqual([status, headers.get('allow')], [204, 'GET, HEAD, OPTIONS'])
})
