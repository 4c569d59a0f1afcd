import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { listen } from '../../service/test/support/transport/listen.ts'
import { UnavailableError } from '../src/index.ts'
import { appendCookies, nodeHandler, nodeSession, toRequest } from '../src/node.ts'
import { applySetCookies, createFixture, tokenCookies } from './support/fixture.ts'

test('nodeSession reads the session of a node:http request and sets its cookies', async (t) => {
  const { client, tenant, signIn, expireAccessTokens } = await createFixture(t)
  const { port } = await listen(t, async (req, res) => {
    appendCookies(res, ['mine=1; Path=/'])
    const { user } = await nodeSession(client, req, res)
    res.end(user?.email ?? 'signed out')
  })
  const tokens = await signIn()
  expireAccessTokens()
  const cookie = Object.entries(tokenCookies(tokens, tenant.id)).map((pair) => pair.join('='))
  const response = await fetch(`http://localhost:${port}/`, { headers: { Cookie: cookie.join('; ') } })
  assert.equal(await response.text(), 'ada@example.com')
  assert.deepEqual(Object.keys(applySetCookies(response.headers.getSetCookie())), [
    'mine',
    ...Object.keys(tokenCookies(tokens, tenant.id)),
  ])
  assert.doesNotMatch(response.headers.getSetCookie().join(), /Secure/, 'on localhost')
  assert.deepEqual(await tenant.eventKinds(), ['login_started', 'authorize', 'token_refreshed'])
})

test('nodeHandler writes status, headers and every Set-Cookie of a web-standard response', async (t) => {
  const handler = nodeHandler(({ method, url, headers }) => {
    const response = new Response(`${method} ${url} ${headers.get('x-mine')}`, {
      status: 418,
      headers: { 'X-Yours': '2' },
    })
    response.headers.append('Set-Cookie', 'a=1; Path=/')
    response.headers.append('Set-Cookie', 'b=2; Path=/')
    return response
  })
  const { port } = await listen(t, (req, res) => void handler(req, res))
  const response = await fetch(`http://localhost:${port}/x/?y=%20`, { headers: { 'X-Mine': '1' } })
  assert.equal(response.status, 418)
  assert.equal(await response.text(), `GET http://localhost:${port}/x/?y=%20 1`)
  assert.equal(response.headers.get('x-yours'), '2')
  assert.deepEqual(response.headers.getSetCookie(), ['a=1; Path=/', 'b=2; Path=/'])
})

test('nodeHandler passes errors to next, or responds without the error message', async (t) => {
  const failing = (error: Error) => nodeHandler(() => Promise.reject(error))
  const secret = new Error('svc_rt_secret')
  const { port } = await listen(t, (req, res) => {
    const handler = failing(req.url === '/down' ? new UnavailableError('Unavailable.', { reason: 'network' }) : secret)
    if (req.url === '/next') void handler(req, res, (error) => void res.end(String(error === secret)))
    else void handler(req, res)
  })
  const at = async (path: string) => {
    const response = await fetch(`http://localhost:${port}${path}`)
    return [response.status, await response.text()]
  }
  assert.deepEqual(await at('/down'), [503, 'Something went wrong. Please try again.'])
  assert.deepEqual(await at('/broken'), [500, 'Something went wrong. Please try again.'])
  assert.deepEqual(await at('/next'), [200, 'true'])
})

test('toRequest: no request target or Host header produces a URL of another host or throws', async (t) => {
  const { port } = await listen(t, (req, res) => void res.end(toRequest(req).url))
  const urlFor = (path: string, host = 'app.example:8080'): Promise<string> =>
    new Promise((resolve, reject) => {
      const call = request({ port, path, headers: { Host: host } }, (response) => {
        response.setEncoding('utf8').on('data', (text: string) => resolve(text))
      })
      call.on('error', reject).end()
    })
  assert.equal(await urlFor('/a?b'), 'http://app.example:8080/a?b')
  assert.equal(await urlFor('//evil.example/a'), 'http://app.example:8080//evil.example/a')
  assert.equal(await urlFor('http://evil.example/a?b'), 'http://app.example:8080/a?b')
  assert.equal(await urlFor('/a', 'evil.example/x?'), 'http://host.invalid/a')
  assert.equal(await urlFor('/a', 'user@evil.example'), 'http://host.invalid/a')
  assert.equal(await urlFor('*'), 'http://app.example:8080/')

  const express = {
    headers: { host: 'x.example' },
    url: '/callback?a',
    originalUrl: '/auth/callback?a',
    socket: { encrypted: true },
  }
  assert.equal(toRequest(express).url, 'https://x.example/auth/callback?a')
  const http2 = { headers: { ':authority': 'x.example', ':path': '/', cookie: ['a=1', 'b=2'] }, url: '/' }
  assert.deepEqual([toRequest(http2).url, toRequest(http2).headers.get('cookie')], ['http://x.example/', 'a=1; b=2'])
})
