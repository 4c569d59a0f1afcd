import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawHttp } from '../support/transport/raw-http.ts'
import { world } from '../support/world.ts'

// Verify is answered ahead of the framework when it is plain (docs/hot-path.md). A second reader of requests is a second
// opinion, and whoever finds where the two differ has found a way past one of them.

test('the fast path and the framework give the same response to every spelling of a verify request', async (t) => {
  const { agent, browser, baseUrl, clock } = await world(t)
  const [tenant, other, bare] = [await agent.createTenant(), await agent.createTenant(), await agent.createTenant(null)]
  const spent = await tenant.signIn(browser())
  clock.advance({ minutes: 1 })
  const { access_token, refresh_token } = await tenant.refresh(spent.refresh_token)
  const tokens = [access_token, spent.access_token, refresh_token, `${access_token}A`, access_token.slice(1), 'x']
  const targets = [
    `/edge/auth/${tenant.id}/verify`,
    `/edge/auth/${other.id}/verify`,
    `/edge/auth/${bare.id}/verify`,
    '/edge/auth/no-such-tenant/verify',
    `/edge/auth/${tenant.id}/verify?x=/verify`,
    `/edge/auth/${tenant.id}/verify?`,
    `/edge/auth/${tenant.id}//verify`,
    `/edge/auth//${tenant.id}/verify`,
    `/edge/auth/${tenant.id}%2fx/verify`,
    `/edge/auth/${tenant.id.toUpperCase()}/verify`,
    `/edge/auth/%${tenant.id.charCodeAt(0).toString(16)}${tenant.id.slice(1)}/verify`,
    `/edge/auth/x/../${tenant.id}/verify`,
    `/edge/auth/${other.id}/verify?/edge/auth/${tenant.id}/verify`,
    '/edge/auth/verify',
    '/edge/auth//verify',
    `/edge/auth/${tenant.id}#/verify`,
  ]
  const ask = async (target: string, body: string): Promise<unknown> => {
    const lines = [`POST ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', 'Content-Type: application/json']
    const response = await rawHttp(baseUrl, [...lines, `Content-Length: ${Buffer.byteLength(body)}`], body)
    const json = /^application\/json/m.test(/content-type: (.*)/i.exec(response.head)?.[1] ?? '')
    const parsed = json ? JSON.parse(response.body) : null
    return [response.status, parsed?.error?.code ?? parsed]
  }
  for (const target of targets) {
    for (const token of tokens) {
      const plain = await ask(target, JSON.stringify({ access_token: token }))
      // One more field, which the edge ignores, and the framework is asked.
      const framed = await ask(target, JSON.stringify({ access_token: token, x: 1 }))
      assert.deepEqual(plain, framed, `${target} ${token.slice(0, 12)}`)
    }
  }
  const good = [200, { valid: true, user: (await tenant.edge('verify', { access_token })).json.user }]
  assert.deepEqual(await ask(`/edge/auth/${tenant.id}/verify`, `{"access_token":"${access_token}"}`), good)
  for (const body of [
    `{"access_token":"x","access_token":"${access_token}"}`,
    `{"access_token":"${access_token}","access_token":"x"}`,
    `{"access_token":"x","\\u0061ccess_token":"${access_token}"}`,
    `[{"access_token":"${access_token}"}]`,
    `{"access_token":["${access_token}"]}`,
    `{"Access_Token":"${access_token}"}`,
  ]) {
    assert.deepEqual(await ask(`/edge/auth/${tenant.id}/verify`, body), [400, 'invalidRequest'], body.slice(0, 30))
  }
})
