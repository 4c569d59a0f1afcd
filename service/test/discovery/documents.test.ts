import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { API_ERRORS, type ApiErrorCode, SCOPES, TOOL_NAMES } from '@gatehouse-auth/contract'
import { z } from 'zod'
import localPackage from '../../../local/package.json' with { type: 'json' }
import { limitsTable } from '../../src/http/discovery/docs/content.ts'
import { ERROR_EXAMPLES } from '../../src/http/discovery/docs/errors.ts'
import { EVERY_PAGE } from '../../src/http/discovery/docs/page-list.ts'
import { reverseDnsName } from '../../src/http/discovery/documents.ts'
import type { ApiResponse } from '../support/actors/agent.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'

const DOCUMENTS = [
  ['/openapi.json', /^application\/json/],
  ['/auth.md', /^text\/markdown/],
  ['/llms.txt', /^text\/plain/],
  ['/llms-full.txt', /^text\/plain/],
  ['/sitemap.xml', /^application\/xml/],
  ['/robots.txt', /^text\/plain/],
  ['/.well-known/mcp.json', /^application\/json/],
  ['/mcp/server-card', /^application\/json/],
  ['/.well-known/ai-catalog.json', /^application\/json/],
  ['/.well-known/security.txt', /^text\/plain/],
  ['/mcp/server.json', /^application\/json/],
  ['/.well-known/agent-skills/index.json', /^application\/json/],
  ['/.well-known/agent-skills/add-sign-in/SKILL.md', /^text\/markdown/],
  ...EVERY_PAGE.flatMap(({ path }) => [
    [path, /^text\/html/] as const,
    [`${path}.md`, /^text\/markdown/] as const,
  ]),
] as const

// proves C008
test('every document is publicly cacheable and revalidated by its ETag', {
  skip: slow,
}, async (t) => {
  const { agent } = await world(t)
  for (const [address, type] of DOCUMENTS) {
    const first = await agent.call('GET', address)
    assert.equal(first.status, 200, address)
    assert.match(first.headers.get('content-type') ?? '', type, address)
    assert.match(
      first.headers.get('cache-control') ?? '',
      /^public, max-age=(?:300|3600)$/,
      address,
    )
    assert.equal(first.headers.get('access-control-allow-origin'), '*', address)
    assert.equal(first.headers.get('x-robots-tag'), null, address)
    assert.doesNotMatch(
      first.text,
      /\{base_url\}|\{limits_table\}|\{pages\}|undefined|\[object/,
      address,
    )
    if (!/self-hosting|llms-full/.test(address)) {
      assert.doesNotMatch(first.text, /localhost:8787/, 'of a service elsewhere')
    }
    const etag = first.headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await agent.call('GET', address, { headers: { 'If-None-Match': known } })
      assert.deepEqual(
        [again.status, again.text, again.headers.get('etag')],
        [304, '', etag],
        `${address} ${known}`,
      )
    }
    const changed = await agent.call('GET', address, { headers: { 'If-None-Match': '"other"' } })
    assert.equal(changed.status, 200, address)
  }
})

test('a docs page is HTML for browsers and Markdown for clients that prefer it', async (t) => {
  const { agent, baseUrl } = await world(t)
  const get = (Accept: string) => agent.call('GET', '/docs/sessions', { headers: { Accept } })
  for (const accept of [
    'text/html,application/xhtml+xml,*/*;q=0.8',
    '*/*',
    'text/html, text/markdown;q=0.5',
  ]) {
    const { headers, text } = await get(accept)
    assert.match(headers.get('content-type') ?? '', /^text\/html/, accept)
    assert.match(text, /<h1>Sessions<\/h1>/)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'self'/,
    )
    assert.match(headers.get('vary') ?? '', /accept/i)
    assert.equal(headers.get('link'), '</docs/sessions.md>; rel="alternate"; type="text/markdown"')
  }
  const { text: file } = await agent.call('GET', '/docs/sessions.md')
  for (const accept of [
    'text/markdown',
    'text/markdown, text/html, */*',
    'text/html;q=0.5, text/markdown;q=0.9',
  ]) {
    const { headers, text } = await get(accept)
    assert.match(headers.get('content-type') ?? '', /^text\/markdown/, accept)
    assert.equal(text, file)
  }
  assert.match(file, /^# Sessions\n/)
  assert.ok(file.includes(`](${baseUrl}/docs/recipes)`), 'links are absolute')
})

test('get_service_documentation returns the page /docs/agents, with the current limits', async (t) => {
  const { agent } = await world(t)
  const page = await agent.call('GET', '/docs/agents.md')
  const { json } = await new RawMcpClient(agent).call('get_service_documentation', {})
  assert.equal(json, page.text)
  for (const address of [
    '/docs/agents.md',
    '/docs/limits.md',
    '/offerings/social-login.md',
    '/llms-full.txt',
  ]) {
    assert.ok((await agent.call('GET', address)).text.includes(limitsTable()), address)
  }
})

test('the guide to the login link names every language of the pages', async (t) => {
  const { agent } = await world(t)
  const { text } = await agent.call('GET', '/docs/social-login.md')
  assert.match(
    text,
    /in English, German, Spanish, French, Brazilian Portuguese, .*, Simplified Chinese, Hindi and Arabic: /,
  )
})

test('/docs/sdk has the table of the SDK about tabs, processes and lost responses', async (t) => {
  const { agent } = await world(t)
  const readme = readFileSync(new URL('../../../sdk/README.md', import.meta.url), 'utf8')
  const section = readme.split('## Sessions that survive')[1]?.split('\n## ')[0] ?? ''
  // Without the names of tests, which sdk/test/readme.test.ts looks up.
  const table =
    section.match(/^\|.*\|$/gm)?.map((row) => row.replaceAll(/: \*[^*|]+\* \|/g, ' |')) ?? []
  assert.ok(table.length > 5)
  const { text } = await agent.call('GET', '/docs/sdk.md')
  assert.ok(text.includes(table.join('\n')), table.join('\n'))
})

test('the MCP server card is at every well-known path and agrees with the server', async (t) => {
  const { agent, baseUrl } = await world(t)
  const card = await agent.call('GET', '/.well-known/mcp.json')
  const same = await agent.call('GET', '/mcp/server-card')
  assert.equal(same.text, card.text)
  const typed = await agent.call('GET', '/mcp/server-card', {
    headers: { Accept: 'application/mcp-server-card+json' },
  })
  assert.equal(typed.headers.get('content-type'), 'application/mcp-server-card+json')
  assert.equal(typed.text, card.text)

  const { name, version, description, remotes, _meta } = card.json
  assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  assert.ok(description.length <= 100)
  const hello = await new RawMcpClient(agent).request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  assert.equal(hello.json.result.serverInfo.version, version)
  assert.equal(remotes[0].url, `${baseUrl}/mcp`)
  assert.deepEqual(_meta['localhost/tools'], TOOL_NAMES)
  const { scopes_supported, protected_resource_metadata, authorization_server_metadata } =
    _meta['localhost/auth']
  assert.deepEqual(scopes_supported, SCOPES)
  for (const address of [protected_resource_metadata, authorization_server_metadata]) {
    assert.equal((await agent.call('GET', new URL(address).pathname)).status, 200, address)
  }
  const { entries } = (await agent.call('GET', '/.well-known/ai-catalog.json')).json
  assert.deepEqual(
    entries.map(({ url }: { url: string }) => url),
    [`${baseUrl}/mcp/server-card`],
  )
})

/** The rules of https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json for the fields that we use. */
const Argument = z.strictObject({ type: z.literal('positional'), value: z.string() })
const RegistryEntry = z.strictObject({
  $schema: z.literal(
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/)
    .max(255),
  websiteUrl: z.url(),
  remotes: z.array(
    z.strictObject({
      type: z.enum(['streamable-http', 'sse']),
      url: z.string().regex(/^https?:\/\/[^\s]+$/),
    }),
  ),
  packages: z.array(
    z.strictObject({
      registryType: z.enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb', 'maven']),
      registryBaseUrl: z.url(),
      identifier: z.string(),
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      // The schema asks for it beside runtimeArguments.
      runtimeHint: z.string(),
      runtimeArguments: z.array(Argument),
      packageArguments: z.array(Argument),
      transport: z.strictObject({ type: z.literal('stdio') }),
    }),
  ),
})

test('server.json of the MCP registry has the form of its schema, and names the hosted server and the local one', async (t) => {
  const { agent, baseUrl } = await world(t)
  const { json } = await agent.call('GET', '/mcp/server.json')
  const { name, version, description, remotes, packages } = RegistryEntry.parse(json)
  const card = (await agent.call('GET', '/.well-known/mcp.json')).json
  assert.deepEqual([name, version, description], [card.name, card.version, card.description])
  assert.deepEqual(remotes, [{ type: 'streamable-http', url: `${baseUrl}/mcp` }])
  const [local] = packages
  assert.ok(local)
  assert.deepEqual([local.identifier, local.version], [localPackage.name, localPackage.version])
  assert.equal(version, localPackage.version)
  assert.equal(local.registryBaseUrl, `${baseUrl}/packages/npm/`)
  const registry = `--@gatehouse-auth:registry=${local.registryBaseUrl}`
  assert.deepEqual(
    local.runtimeArguments.map(({ value }) => value),
    ['-y', registry],
  )
  assert.deepEqual(card._meta['localhost/related'], {
    registry: `${baseUrl}/mcp/server.json`,
    skills: `${baseUrl}/.well-known/agent-skills/index.json`,
  })
})

test('the index of Agent Skills has the digest of each skill as it is served, with its name and description', async (t) => {
  const { agent, baseUrl } = await world(t)
  const { json } = await agent.call('GET', '/.well-known/agent-skills/index.json')
  assert.equal(json.$schema, 'https://schemas.agentskills.io/discovery/0.2.0/schema.json')
  const names = json.skills.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, ['add-sign-in', 'fix-sign-in', 'manage-users'])
  for (const { name, type, description, url, digest, ...others } of json.skills) {
    assert.deepEqual([type, others], ['skill-md', {}])
    assert.equal(url, `${baseUrl}/.well-known/agent-skills/${name}/SKILL.md`)
    const { text } = await agent.call('GET', new URL(url).pathname)
    assert.equal(digest, `sha256:${createHash('sha256').update(text).digest('hex')}`)
    assert.ok(text.startsWith(`---\nname: ${name}\ndescription: ${description}\n---\n\n# `), name)
    assert.ok(description.length <= 1_024 && !/[<>]|: /.test(description), description)
    // A token has more than two characters.
    assert.ok(text.length < 2 * 5_000, `${name}: ${text.length} characters`)
  }
  assert.equal((await agent.call('GET', '/.well-known/agent-skills/other/SKILL.md')).status, 404)
})

test('the skill fix-sign-in quotes messages as the SDK writes them', async (t) => {
  const { agent } = await world(t)
  const { text } = await agent.call('GET', '/.well-known/agent-skills/fix-sign-in/SKILL.md')
  const shown = [...text.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => cell)
  const quotes = shown.flatMap((cell) =>
    [...cell.matchAll(/"([^"]+)"/g)].map(([, quote = '']) => quote),
  )
  assert.ok(quotes.length >= 4, String(quotes))
  const sources = ['login/error-page', 'login/callback-error', 'adapters/answers']
    .map((name) => readFileSync(new URL(`../../../sdk/src/${name}.ts`, import.meta.url), 'utf8'))
    .join('')
  for (const quote of quotes) {
    assert.ok(sources.includes(quote), `${quote} is in no message`)
  }
})

test('the namespace of the server card is the host in reverse-DNS notation', () => {
  for (const [baseUrl, space] of [
    ['https://login.example.com', 'com.example.login'],
    ['http://localhost:8787', 'localhost'],
    ['http://127.0.0.1:8787', 'localhost'],
    ['http://[::1]:8787', 'localhost'],
  ] as const) {
    assert.equal(reverseDnsName(baseUrl), space)
  }
})

test('security.txt has the fields that RFC 9116 requires, and never expires', async (t) => {
  const { agent, baseUrl, clock } = await world(t)
  for (const days of [0, 400]) {
    clock.advance({ days })
    const { text } = await agent.call('GET', '/.well-known/security.txt')
    assert.ok(text.includes(`Contact: ${baseUrl}/docs/security#reporting-a-problem\n`))
    const left = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '') - clock.now()
    assert.ok(left > 0 && left < 365 * 86_400_000, text)
  }
})

test('offerings are JSON for clients that accept JSON', async (t) => {
  const { agent, baseUrl } = await world(t)
  const { json } = await agent.call('GET', '/offerings', {
    headers: { Accept: 'application/json' },
  })
  assert.deepEqual(
    json.offerings.map(({ offering }: { offering: string }) => offering),
    ['social-login'],
  )
  const one = await agent.call('GET', '/offerings/social-login', {
    headers: { Accept: 'application/json' },
  })
  assert.equal(one.json.limits.free.stored_users, 5_000)
  assert.ok(
    one.json.endpoints.some(
      ({ url }: { url: string }) => url === `${baseUrl}/edge/auth/{tenantId}/verify`,
    ),
  )
})

test('llms.txt has the format of llmstxt.org: a title, a summary, text without headings, lists of links', async (t) => {
  const { agent } = await world(t)
  const { text } = await agent.call('GET', '/llms.txt')
  const [intro = '', ...sections] = text.split(/^## /m)
  assert.match(intro, /^# Gatehouse\n\n> /)
  assert.equal(intro.match(/^#/gm)?.length, 1)
  for (const section of sections) {
    const [title = '', ...lines] = section.trim().split('\n')
    for (const line of lines.filter((each) => each !== '')) {
      assert.match(line, /^- \[[^\]]+\]\(https?:\/\/\S+\): \S/, title)
    }
  }
})

// error-coverage.test.ts checks that some test produces each code.
// proves C293
test('the errors page has the cause, the fix and an example of every code, as HTML and as Markdown', async (t) => {
  const { agent, baseUrl } = await world(t)
  const html = await agent.call('GET', '/docs/errors')
  const markdown = await agent.call('GET', '/docs/errors.md')
  for (const [code, { meaning, remedy }] of Object.entries(API_ERRORS)) {
    assert.match(remedy, /^[A-Z][^?]{10,}\.$/, code)
    const [, entry = ''] = html.text.split(`<h3 id="${code}">`)
    assert.match(
      entry.split('<h3 ', 1)[0] ?? '',
      /Cause:<\/strong> \S.*Fix:<\/strong> \S.*<pre/s,
      code,
    )
    const [, written = ''] = markdown.text.split(`{#${code}}`)
    assert.ok(written.startsWith(`\n\n**Cause:** ${meaning}\n\n**Fix:** ${remedy}`), code)
    const { error } = JSON.parse(/```json title=\d+\n(.*?)```/s.exec(written)?.[1] ?? '{}')
    assert.deepEqual([error.code, error.docs_url], [code, `${baseUrl}/docs/errors#${code}`])
  }
})

// proves C293
test('the examples on the errors page have the details of real responses', async (t) => {
  const { agent } = await world(t)
  const tenant = await agent.createTenant(['https://app.example.com/auth/callback'])
  const requests: [ApiErrorCode, Promise<ApiResponse>][] = [
    [
      'invalidRedirectUri',
      agent.call(
        'GET',
        `/edge/auth/${tenant.id}/google?redirect_uri=https://app.example.com/auth/calback`,
      ),
    ],
    [
      'invalidRequest',
      tenant.manage('POST', '/api/resources/social-login', { callback_urls: ['ftp://x'] }),
    ],
    ['unknownRoute', agent.call('GET', '/api/statuss')],
    ['methodNotAllowed', agent.call('DELETE', '/api/status')],
    ['missingCredentials', agent.call('GET', '/api/status')],
    [
      'bannedUserAgent',
      agent.call('POST', '/api/genesis', { headers: { 'User-Agent': 'curl/8' } }),
    ],
    [
      'unsupportedMediaType',
      agent.call('POST', `/edge/auth/${tenant.id}/verify`, { body: 'x', headers: PLAIN }),
    ],
  ]
  for (const [code, request] of requests) {
    const { error } = (await request).json
    const example = ERROR_EXAMPLES[code]
    assert.equal(error.code, code)
    assert.deepEqual(Object.keys(error.details ?? {}), Object.keys(example?.details ?? {}), code)
    if (code !== 'invalidRequest' && code !== 'invalidRedirectUri') {
      assert.equal(example?.message, error.message)
    }
  }
})

const PLAIN = { 'Content-Type': 'text/plain' }
