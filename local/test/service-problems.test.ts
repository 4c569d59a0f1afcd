import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { Tenant } from '../../service/test/support/actors/agent.ts'
import type { Browser } from '../../service/test/support/actors/browser.ts'
import type { Clock } from '../../service/test/support/clock.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { assertApiError, type Bench, bench, giveFile, localWorld, someFile } from './support/bench.ts'

/** A machine whose project belongs to a service that answers like this. */
async function facing(t: TestContext, answer: RequestListener, env: Record<string, string> = {}): Promise<Bench> {
  const { port } = await listen(t, answer)
  const machine = await bench(t, { GATEHOUSE_URL: `http://localhost:${port}`, ...env })
  await machine.write(someFile(`http://localhost:${port}`))
  return machine
}

test('a service that is down: a sentence, what to do, and exit code 3', async (t) => {
  const nowhere = `http://localhost:${await freePort()}`
  const machine = await bench(t, { GATEHOUSE_URL: nowhere })
  const { message } = await machine.refused(3, 'serviceUnreachable', 'init')
  assert.equal(message, `The service at ${nowhere} is out of reach: nothing listens there.`)
  assert.deepEqual(await readdir(machine.project), ['.gitignore'], 'nothing half done is left')
  await machine.write(someFile(nowhere))
  for (const verb of ['status', 'claim', 'events']) await machine.refused(3, 'serviceUnreachable', verb)
  await machine.refused(3, 'serviceUnreachable', 'provision', 'https://app.example.com/cb')
  await machine.refused(3, 'serviceUnreachable', 'feedback', 'hello')
  const people = await machine.run('status')
  assert.equal(people.stdout, '')
  assert.match(people.stderr, /^✗ The service at .* is out of reach.*\n {2}→ Check the address/)
})

test('a name that nobody knows is told as such', async (t) => {
  const machine = await bench(t, { GATEHOUSE_URL: 'https://gatehouse.invalid' })
  await machine.refused(3, 'serviceUnreachable', 'init')
})

test('a service that does not answer is not waited for for ever', async (t) => {
  const machine = await facing(t, () => {}, { GATEHOUSE_TIMEOUT: '1' })
  const { message } = await machine.refused(3, 'serviceUnreachable', 'status')
  assert.match(message, /did not answer in time/)
})

test('a guest whose answer was lost is not created a second time by itself', async (t) => {
  let asked = 0
  const { port } = await listen(t, (request) => {
    asked++
    request.socket.destroy()
  })
  const machine = await bench(t, { GATEHOUSE_URL: `http://localhost:${port}` })
  const { next } = await machine.refused(3, 'outcomeUnknown', 'init')
  assert.match(next, /within 72 hours/)
  assert.equal(asked, 1)
  assert.deepEqual(await readdir(machine.project), ['.gitignore'])
})

test('something else at the address is not taken for the service, and gets no key by a redirect', async (t) => {
  const page = await facing(t, (_request, response) => void response.end('<h1>Hello</h1>'))
  await page.refused(3, 'notGatehouse', 'status')

  let keys = 0
  const { port } = await listen(t, ({ headers }, response) => {
    if (headers.authorization !== undefined) keys++
    response.end('{}')
  })
  const moved = await facing(t, (_request, response) => {
    response.writeHead(307, { Location: `http://localhost:${port}/api/status` }).end()
  })
  await moved.refused(3, 'notGatehouse', 'status')
  assert.equal(keys, 0)

  const proxy = await facing(t, (_request, response) => void response.writeHead(502).end('Bad Gateway'))
  assert.match((await proxy.refused(3, 'serviceUnreachable', 'status')).message, /502/)
})

test('another version of the API is named, with how to get a matching program', async (t) => {
  const machine = await facing(t, ({ headers }, response) => {
    assert.match(headers['user-agent'] ?? '', /^gatehouse-local\/\d+\.\d+\.\d+$/)
    response.writeHead(200, { 'API-Version': '2' }).end('{}')
  })
  const { message, next } = await machine.refused(3, 'otherVersion', 'status')
  assert.match(message, /version 2.*version 1/)
  assert.match(next, /npx @gatehouse\/local@latest/)
  const odd = await facing(t, (_request, response) => {
    response.writeHead(200, { 'API-Version': '1' }).end('{"tenant_id":5}')
  })
  await odd.refused(3, 'otherVersion', 'status')
})

test('fields that a younger service adds do no harm', async (t) => {
  const { bench: machine, tenant } = await localWorld(t)
  await machine.run('init')
  const status = await (await tenant()).status()
  const { port } = await listen(t, (_request, response) => {
    const younger = { ...status, mood: 'good', usage: { ...status.usage, moons: { used: 1, limit: 2 } } }
    response.writeHead(200, { 'API-Version': '1' }).end(JSON.stringify(younger))
  })
  await machine.write((await machine.read()).replace(/base_url=.*/, `base_url=http://localhost:${port}`))
  const read = await machine.run('status', '--json')
  assert.deepEqual(read.json[0], status)
})

test('paused, ended, throttled: each says so, and what helps', async (t) => {
  const { bench: machine, agent, clock, browser } = await localWorld(t)
  for (let made = 0; made < 10; made++) await agent.call('POST', '/api/genesis')
  const late = assertApiError(await machine.run('init', '--json'), 5, 'rateLimited')
  assert.ok((late.retry_after_seconds ?? 0) > 0)
  assert.match(late.next, /Try again in \d+ seconds/)

  const tenant = await agent.createTenant()
  await giveFile(machine, tenant)
  await pause(tenant, browser(), clock)
  assert.equal((await tenant.status()).status, 'paused')
  const paused = await machine.refused(1, 'tenantPaused', 'events')
  assert.match(paused.next, /gatehouse-local claim/)
  await machine.refused(1, 'tenantPaused', 'provision', 'https://app.example.com/cb')
  assert.match((await machine.run('status')).stdout, /paused \(lifetime_events\).*\n[\s\S]*gatehouse-local claim/)
  assert.equal((await machine.run('feedback', 'still works')).code, 0)
  assert.equal((await machine.run('claim', '--no-wait')).code, 0)

  clock.advance({ hours: 73 })
  const ended = await machine.refused(1, 'tenantExpired', 'events')
  assert.match(ended.next, /gatehouse-local init/)
  await machine.refused(1, 'tenantExpired', 'claim')
  await machine.refused(1, 'tenantExpired', 'feedback', 'too late')
  assert.match((await machine.run('status')).stdout, /ended/)
})

test('a service out of order asks to come back later', async (t) => {
  const body = { code: 'temporarilyUnavailable', message: 'x', retryable: true, request_id: 'r', docs_url: 'd' }
  const machine = await facing(t, (_request, response) => {
    response.writeHead(503, { 'API-Version': '1', 'Retry-After': '7' }).end(JSON.stringify({ error: body }))
  })
  const { next } = await machine.refused(3, 'temporarilyUnavailable', 'status')
  assert.match(next, /in 7 seconds/)
})

test('what a service says cannot move the cursor, and a key in it is taken out', async (t) => {
  const error = {
    code: 'fromTheFuture',
    message: `\u001b[2J no \u009b31m svc_man_${'k'.repeat(42)} \r\n x`,
    details: {},
  }
  const machine = await facing(t, (_request, response) => {
    response.writeHead(400, { 'API-Version': '1' }).end(JSON.stringify({ error }))
  })
  const { code, stderr } = await machine.run('status')
  assert.equal(code, 1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  assert.doesNotMatch(stderr, /[\u001b\u009b\r]/)
  assert.match(stderr, /no.*\[removed\]/)
})

test('an address that would carry keys in the clear is refused', async (t) => {
  const machine = await bench(t, {})
  for (const url of ['http://login.example.com', 'ftp://x', 'nonsense', 'https://x.example/path']) {
    await machine.refused(2, 'serviceUrlInvalid', 'init', '--service', url)
  }
})

/** Spends the hundred events of a guest's life, four refreshes a minute. */
async function pause(tenant: Tenant, browser: Browser, clock: Clock): Promise<void> {
  let { refresh_token } = await tenant.signIn(browser)
  for (let spent = 2; spent < 100; spent++) {
    if (spent % 4 === 0) clock.advance({ minutes: 1 })
    refresh_token = (await tenant.refresh(refresh_token)).refresh_token
  }
  clock.advance({ minutes: 1 })
  await tenant.assertRefreshRejected(refresh_token, 'tenantPaused')
}
