import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CLIENT_ID, scriptedProvider } from '../support/faults/scripted-provider.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

const BASE_URL = 'https://login.example.com'

/** The service in production: behind a proxy that terminates TLS, with a real provider. */
async function publicService(
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
): Promise<World> {
  const { issuer } = await scriptedProvider(t)
  const google = {
    GOOGLE_CLIENT_ID: CLIENT_ID,
    GOOGLE_CLIENT_SECRET: 'a-client-secret',
    GOOGLE_ISSUER: issuer,
  }
  return world(t, { env: { BASE_URL, ...google, ...env } })
}

const PATHS = [
  '/',
  '/account',
  '/docs',
  '/nothing',
  '/healthz',
  '/api/status',
  '/openapi.json',
  '/mcp',
  '/oauth/token',
]

// proves S031
test('with an https base URL every response sends Strict-Transport-Security, even behind a proxy that terminates TLS', {
  skip: slow,
}, async (t) => {
  const { agent } = await publicService(t)
  const tenant = await agent.createTenant()
  for (const path of [...PATHS, `/edge/auth/${tenant.id}/google`]) {
    for (const headers of [{}, { 'X-Forwarded-Proto': 'http' }]) {
      const response = await agent.call('GET', path, { headers })
      assert.match(
        response.headers.get('strict-transport-security') ?? '',
        /^max-age=31536000\b/,
        path,
      )
    }
  }
  const local = await world(t)
  for (const path of PATHS) {
    const response = await local.agent.call('GET', path, {
      headers: { 'X-Forwarded-Proto': 'https' },
    })
    assert.equal(
      response.headers.get('strict-transport-security'),
      null,
      'a local service must stay reachable over http',
    )
  }
})

// proves S031
test('with an https base URL every cookie is __Host-, Secure, HttpOnly and Lax, and a cookie without the prefix is ignored', async (t) => {
  const { agent } = await publicService(t)
  const tenant = await agent.createTenant()
  const offer = (await tenant.manage('POST', '/api/claim/url')).json
  const started = await agent.call('GET', `/edge/auth/${tenant.id}/google`)
  const claimed = await agent.call('GET', new URL(offer.approval_url).pathname)
  const signIn = await agent.call('POST', '/account/sign-in', {
    body: 'next=/account',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'same-origin',
    },
  })
  for (const [response, name] of [
    [started, 'gatehouse_browser'],
    [claimed, 'gatehouse_claim'],
    [signIn, 'gatehouse_browser'],
  ] as const) {
    const [cookie = '', ...others] = response.headers.getSetCookie()
    assert.deepEqual(others, [])
    assert.match(
      cookie,
      new RegExp(
        `^__Host-${name}=[\\w-]{43}; Max-Age=\\d+; Path=/; HttpOnly; Secure; SameSite=Lax$`,
      ),
    )
  }

  // A sibling host can set a cookie with the plain name, but not one with the prefix.
  const [, planted = ''] = /=([\w-]{43})/.exec(claimed.headers.getSetCookie()[0] ?? '') ?? []
  const page = claimed.headers.get('location') ?? ''
  const read = (Cookie: string) =>
    agent.call('GET', new URL(page).pathname, { headers: { Cookie, Accept: 'text/html' } })
  assert.equal((await read(`gatehouse_claim=${planted}`)).status, 404)
  assert.equal((await read(`__host-gatehouse_claim=${planted}`)).status, 404)
  assert.equal((await read(`__Host-gatehouse_claim=${planted}`)).status, 200)
})
