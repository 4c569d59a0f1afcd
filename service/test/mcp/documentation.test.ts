import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  API_ERRORS,
  AUTH_EVENT_KINDS,
  ENDPOINTS,
  SCOPES,
  TIER_LIMITS,
  TIERS,
  TOOLS,
} from '@gatehouse-auth/contract'
import { ERAS, RawMcpClient, toolResult } from '../support/actors/mcp.ts'
import { world } from '../support/world.ts'

// proves C091
test('get_service_documentation needs no arguments and ignores any', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  const first = await toolResult(wire.call('get_service_documentation', undefined))
  for (const args of [
    {},
    { tenant_id: 'x' },
    { confirmed: false, deep: { er: [1] } },
    { coh_management_key: 'x' },
  ]) {
    for (const era of ERAS) {
      assert.deepEqual(
        await toolResult(wire.call('get_service_documentation', args, {}, era)),
        first,
      )
    }
  }
})

// proves C091
test('get_service_documentation returns Markdown once, as text of at most 10,000 characters, and names pages for the rest', async (t) => {
  const { agent, baseUrl } = await world(t)
  for (const era of ERAS) {
    const params = { name: 'get_service_documentation', arguments: {} }
    const { result } = (await new RawMcpClient(agent).request('tools/call', params, {}, era)).json
    assert.deepEqual(
      Object.keys(result).sort(),
      era === 'legacy' ? ['content'] : ['_meta', 'content', 'resultType'],
    )
    assert.equal(result.content.length, 1)
    const { type, text } = result.content[0]
    assert.equal(type, 'text')
    assert.match(text, /^# Gatehouse[^\n]*\n\n/)
    // With the longest base URL that an operator is likely to have, and the preface of the local server.
    const longest = text.replaceAll(baseUrl, 'x'.repeat(60)).length + 600
    assert.ok(longest <= 10_000, `${longest} characters`)
    for (const page of [
      'sessions',
      'callbacks',
      'events',
      'tenants',
      'oauth',
      'errors',
      'recipes',
      'sdk',
    ]) {
      assert.ok(text.includes(`${baseUrl}/docs/${page}`), page)
    }
  }
})

test('the agent guide names only endpoints, codes, events, scopes, tools and limits that exist', async (t) => {
  const { agent, baseUrl } = await world(t)
  const text: string = await toolResult(
    new RawMcpClient(agent).call('get_service_documentation', {}),
  )
  assert.ok(!text.includes('{base_url}') && text.includes(baseUrl))

  const known = ENDPOINTS.map(({ path }) => new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}$`))
  const others = /^(\/(mcp(\?login)?|docs\/[a-z/]+(\.(md|js))?|packages\/npm\/))?$/
  for (const [, path = ''] of text.matchAll(
    new RegExp(`${baseUrl}(/[^\\s\`"),;]*[^\\s\`"),;.:])?`, 'g'),
  )) {
    const [address = ''] = path.split('?')
    assert.ok(
      known.some((pattern) => pattern.test(address)) || others.test(path),
      `no endpoint ${path}`,
    )
    if (others.test(path) && path !== '' && !path.startsWith('/mcp')) {
      assert.equal((await agent.call('GET', path)).status, 200, path)
    }
  }

  const errors = text.slice(text.indexOf('## Errors'), text.indexOf('## OAuth'))
  const codes = [...errors.matchAll(/`([a-z]+[A-Z][a-zA-Z]+)`/g)].map(([, code = '']) => code)
  assert.ok(codes.length >= 5)
  for (const code of codes.filter((code) => code !== 'isError')) {
    assert.ok(code in API_ERRORS, code)
  }
  for (const event of AUTH_EVENT_KINDS) {
    assert.ok(text.includes(`\`${event}\``), event)
  }
  for (const { name, scope } of TOOLS) {
    assert.ok(text.includes(`\`${name}\``), name)
    if (scope !== null) {
      assert.match(text, new RegExp(`\\| \`${scope}\` \\|[^\\n]*\`${name}\``))
    }
  }
  for (const scope of SCOPES) {
    assert.ok(text.includes(scope))
  }

  const row = (label: string, values: readonly (number | null)[]): string =>
    `| ${[label, ...values.map((value) => (value === null ? '–' : value.toLocaleString('en')))].join(' | ')} |`
  const limits = TIERS.map((tier) => TIER_LIMITS[tier])
  for (const line of [
    row(
      'Stored users',
      limits.map(({ storedUsers }) => storedUsers),
    ),
    row(
      'Auth events per minute',
      limits.map(({ eventsPerMinute }) => eventsPerMinute),
    ),
    row(
      'Auth events per month',
      limits.map(({ eventsPerMonth }) => eventsPerMonth),
    ),
    row(
      'Auth events before it is claimed',
      limits.map(({ eventsPerLifetime }) => eventsPerLifetime),
    ),
  ]) {
    assert.ok(text.includes(line), line)
  }
})
