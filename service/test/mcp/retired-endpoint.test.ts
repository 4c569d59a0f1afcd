import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountOf, tokenFor } from '../support/actors/grants.ts'
import { world } from '../support/world.ts'

// proves C145, C179
test('the retired endpoint returns 410 with Deprecation, Sunset and Link headers to every method', async (t) => {
  const here = await world(t)
  const token = await tokenFor(here, await accountOf(here), {
    resource: `${here.baseUrl}/mcp/manage`,
  })
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
    for (const path of ['/mcp/manage', '/mcp/manage/', '/mcp/manage/anything?x=1']) {
      for (const headers of [
        {},
        { Authorization: `Bearer ${token}` },
        { Origin: 'https://claude.ai' },
      ]) {
        const response = await here.agent.call(method, path, { headers })
        assert.equal(response.status, 410, `${method} ${path}`)
        assert.match(response.headers.get('deprecation') ?? '', /^@\d{10}$/)
        assert.match(
          response.headers.get('sunset') ?? '',
          /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
        )
        const link = response.headers.get('link') ?? ''
        assert.ok(
          link.includes(`<${here.baseUrl}/docs/migrations/mcp-manage>; rel="deprecation"`),
          link,
        )
        assert.ok(link.includes(`<${here.baseUrl}/mcp>; rel="successor-version"`))
        if (method !== 'HEAD') {
          assert.equal(response.json.error.code, 'endpointRetired')
        }
      }
    }
  }
})

// proves C177
test('the migration guide exists, and the retired endpoint’s page links to it', async (t) => {
  const here = await world(t)
  const user = here.browser()
  await user.open(`${here.baseUrl}/mcp/manage`)
  assert.equal(user.page.status, 410)
  await user.follow('Migration guide')
  assert.equal(user.page.status, 200)
  assert.equal(user.page.url.pathname, '/docs/migrations/mcp-manage')
  assert.ok(user.page.text.includes(`${here.baseUrl}/mcp?login`))
})
