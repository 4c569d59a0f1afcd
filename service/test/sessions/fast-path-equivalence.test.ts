import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slow } from '../support/tags.ts'
import { rawHttp } from '../support/transport/raw-http.ts'
import { world } from '../support/world.ts'

// The fast path handles simple verify requests before the framework (docs/hot-path.md). Two parsers of one request are a
// risk: an attacker could use any difference between them to bypass a check.

test('the fast path and the framework give the same response to every spelling of a verify request', {
  skip: slow,
}, async (t) => {
  const { agent, browser, baseUrl, clock } = await world(t, { through: 'port' })
  const [tenant, other, bare] = [
    await agent.createTenant(),
    await agent.createTenant(),
    await agent.createTenant(null),
  ]
  const spent = await tenant.signIn(browser())
  clock.advance({ minutes: 1 })
  const { access_token, refresh_token } = await tenant.refresh(spent.refresh_token)
  const tokens = [
    access_token,
    spent.access_token,
    refresh_token,
    `${access_token}A`,
    access_token.slice(1),
    'x',
  ]
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
  const verify = async (target: string, body: string): Promise<unknown> => {
    const lines = [
      `POST ${target} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      'Content-Type: application/json',
    ]
    const response = await rawHttp(
      baseUrl,
      [...lines, `Content-Length: ${Buffer.byteLength(body)}`],
      body,
    )
    const json = /^application\/json/m.test(/content-type: (.*)/i.exec(response.head)?.[1] ?? '')
    const parsed = json ? JSON.parse(response.body) : null
    return [response.status, parsed?.error?.code ?? parsed]
  }
  for (const target of targets) {
    for (const token of tokens) {
      const plain = await verify(target, JSON.stringify({ access_token: token }))
      // An extra field, which verify ignores, makes the framework handle the request.
      const framed = await verify(target, JSON.stringify({ access_token: token, x: 1 }))
      assert.deepEqual(plain, framed, `${target} ${token.slice(0, 12)}`)
    }
  }
  const expected = [
    200,
    { valid: true, user: (await tenant.edge('verify', { access_token })).json.user },
  ]
  assert.deepEqual(
    await verify(`/edge/auth/${tenant.id}/verify`, `{"access_token":"${access_token}"}`),
    expected,
  )
  const escaped = `\\u00${access_token.charCodeAt(0).toString(16)}${access_token.slice(1)}`
  assert.deepEqual(
    await verify(`/edge/auth/${tenant.id}/verify`, `{"access_token":"${escaped}"}`),
    expected,
  )
  for (const body of [
    `{"access_token":"x\u0001"}`,
    `{"access_token":"${access_token}\n"}`,
    `{"access_token":"x\\"}`,
    `{"access_token":"}`,
    `{"access_token":"x","access_token":"${access_token}"}`,
    `{"access_token":"${access_token}","access_token":"x"}`,
    `{"access_token":"x","\\u0061ccess_token":"${access_token}"}`,
    `[{"access_token":"${access_token}"}]`,
    `{"access_token":["${access_token}"]}`,
    `{"Access_Token":"${access_token}"}`,
  ]) {
    assert.deepEqual(
      await verify(`/edge/auth/${tenant.id}/verify`, body),
      [400, 'invalidRequest'],
      body.slice(0, 30),
    )
  }
})
