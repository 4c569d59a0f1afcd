import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { Tenant } from '../../service/test/support/actors/agent.ts'
import type { Browser } from '../../service/test/support/actors/browser.ts'
import type { Clock } from '../../service/test/support/clock.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import {
  assertProblem,
  createLocalFixture,
  createMachine,
  type Machine,
  validCredentialsFile,
  writeTenantFile,
} from './support/machine.ts'

/** A machine whose .service file names a fake service with this request handler. */
async function withFakeService(
  t: TestContext,
  handler: RequestListener,
  env: Record<string, string> = {},
): Promise<Machine> {
  const { port } = await listen(t, handler)
  const machine = await createMachine(t, { GATEHOUSE_URL: `http://localhost:${port}`, ...env })
  await machine.write(validCredentialsFile(`http://localhost:${port}`))
  return machine
}

test('an unreachable service exits with 3 and prints the reason and the next step', async (t) => {
  const unreachable = `http://localhost:${await freePort()}`
  const machine = await createMachine(t, { GATEHOUSE_URL: unreachable })
  const { message } = await machine.expectProblem(3, 'serviceUnreachable', 'init')
  assert.ok(message.includes(unreachable) && message.includes('connection refused'), message)
  assert.deepEqual(await readdir(machine.project), [], 'no file is left')
  await machine.write(validCredentialsFile(unreachable))
  for (const command of ['status', 'claim', 'events']) {
    await machine.expectProblem(3, 'serviceUnreachable', command)
  }
  await machine.expectProblem(3, 'serviceUnreachable', 'provision', 'https://app.example.com/cb')
  await machine.expectProblem(3, 'serviceUnreachable', 'feedback', 'hello')
  const text = await machine.run('status')
  assert.equal(text.stdout, '')
  assert.match(text.stderr, /^✗ The service at .* is unreachable.*\n {2}→ Check the address/)
})

test('an unknown host name exits with 3', async (t) => {
  const machine = await createMachine(t, { GATEHOUSE_URL: 'https://gatehouse.invalid' })
  await machine.expectProblem(3, 'serviceUnreachable', 'init')
})

test('GATEHOUSE_TIMEOUT bounds the wait for a response', async (t) => {
  const machine = await withFakeService(t, () => {}, { GATEHOUSE_TIMEOUT: '1' })
  const { message } = await machine.expectProblem(3, 'serviceUnreachable', 'status')
  assert.match(message, /the request timed out/)
})

// proves C128
test('a guest creation with a lost response is not retried', async (t) => {
  let requests = 0
  const { port } = await listen(t, (request) => {
    requests++
    request.socket.destroy()
  })
  const machine = await createMachine(t, { GATEHOUSE_URL: `http://localhost:${port}` })
  const { next } = await machine.expectProblem(3, 'outcomeUnknown', 'init')
  assert.match(next, /within 72 hours/)
  assert.equal(requests, 1)
  assert.deepEqual(await readdir(machine.project), [])
})

test('a server that is not Gatehouse is detected, and redirects are not followed with the key', async (t) => {
  const page = await withFakeService(t, (_request, response) => void response.end('<h1>Hello</h1>'))
  await page.expectProblem(3, 'notGatehouse', 'status')

  let keys = 0
  const { port } = await listen(t, ({ headers }, response) => {
    if (headers.authorization !== undefined) {
      keys++
    }
    response.end('{}')
  })
  const moved = await withFakeService(t, (_request, response) => {
    response.writeHead(307, { Location: `http://localhost:${port}/api/status` }).end()
  })
  await moved.expectProblem(3, 'notGatehouse', 'status')
  assert.equal(keys, 0)

  const proxy = await withFakeService(
    t,
    (_request, response) => void response.writeHead(502).end('Bad Gateway'),
  )
  assert.match((await proxy.expectProblem(3, 'serviceUnreachable', 'status')).message, /502/)
})

test('an unsupported API version is named, with the command to update', async (t) => {
  const machine = await withFakeService(t, ({ headers }, response) => {
    assert.match(headers['user-agent'] ?? '', /^gatehouse-local\/\d+\.\d+\.\d+$/)
    response.writeHead(200, { 'API-Version': '2' }).end('{}')
  })
  const { message, next } = await machine.expectProblem(3, 'otherVersion', 'status')
  assert.match(message, /version 2.*version 1/)
  assert.match(
    next,
    /^Run the tools of the service: npx --@gatehouse-auth:registry=http:\/\/localhost:\d+\/packages\/npm\/ @gatehouse-auth\/local@latest$/,
  )
  const invalid = await withFakeService(t, (_request, response) => {
    response.writeHead(200, { 'API-Version': '1' }).end('{"tenant_id":5}')
  })
  await invalid.expectProblem(3, 'otherVersion', 'status')
})

test('unknown fields in responses are ignored', async (t) => {
  const { machine, tenant } = await createLocalFixture(t)
  await machine.run('init')
  const status = await (await tenant()).status()
  const { port } = await listen(t, (_request, response) => {
    const newer = {
      ...status,
      added: 'x',
      usage: { ...status.usage, added: { used: 1, limit: 2 } },
    }
    response.writeHead(200, { 'API-Version': '1' }).end(JSON.stringify(newer))
  })
  await machine.write(
    (await machine.read()).replace(/base_url=.*/, `base_url=http://localhost:${port}`),
  )
  const read = await machine.run('status', '--json')
  assert.deepEqual(read.json[0], status)
})

test('paused, expired and rate-limited tenants print the reason and the next step', async (t) => {
  const { machine, agent, clock, browser } = await createLocalFixture(t)
  for (let created = 0; created < 10; created++) {
    await agent.call('POST', '/api/genesis')
  }
  const limited = assertProblem(await machine.run('init', '--json'), 5, 'rateLimited')
  assert.ok((limited.retry_after_seconds ?? 0) > 0)
  assert.match(limited.next, /Try again in \d+ seconds/)

  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  await pause(tenant, browser(), clock)
  assert.equal((await tenant.status()).status, 'paused')
  const paused = await machine.expectProblem(1, 'tenantPaused', 'events')
  assert.match(paused.next, /@gatehouse-auth\/local claim/)
  await machine.expectProblem(1, 'tenantPaused', 'provision', 'https://app.example.com/cb')
  assert.match(
    (await machine.run('status')).stdout,
    /paused \(lifetime_events\).*\n[\s\S]*@gatehouse-auth\/local claim/,
  )
  assert.equal((await machine.run('feedback', 'still works')).code, 0)
  assert.equal((await machine.run('claim', '--no-wait')).code, 0)

  clock.advance({ hours: 73 })
  const expired = await machine.expectProblem(1, 'tenantExpired', 'events')
  assert.match(expired.next, /@gatehouse-auth\/local init/)
  await machine.expectProblem(1, 'tenantExpired', 'claim')
  await machine.expectProblem(1, 'tenantExpired', 'feedback', 'too late')
  assert.match((await machine.run('status')).stdout, /expired/)
})

test('temporarilyUnavailable prints the Retry-After time', async (t) => {
  const body = {
    code: 'temporarilyUnavailable',
    message: 'x',
    retryable: true,
    request_id: 'r',
    docs_url: 'd',
  }
  const machine = await withFakeService(t, (_request, response) => {
    response
      .writeHead(503, { 'API-Version': '1', 'Retry-After': '7' })
      .end(JSON.stringify({ error: body }))
  })
  const { next } = await machine.expectProblem(3, 'temporarilyUnavailable', 'status')
  assert.match(next, /in 7 seconds/)
})

test('terminal escape sequences and keys in error messages are removed', async (t) => {
  const error = {
    code: 'fromTheFuture',
    message: `\u001b[2J no \u009b31m svc_man_${'k'.repeat(42)} \r\n x`,
    details: {},
  }
  const machine = await withFakeService(t, (_request, response) => {
    response.writeHead(400, { 'API-Version': '1' }).end(JSON.stringify({ error }))
  })
  const { code, stderr } = await machine.run('status')
  assert.equal(code, 1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
  assert.doesNotMatch(stderr, /[\u001b\u009b\r]/)
  assert.match(stderr, /no.*\[removed\]/)
})

test('an error code that is a name of Object.prototype is reported as an unknown code', async (t) => {
  const machine = await withFakeService(t, (_request, response) => {
    const error = { code: 'constructor', message: 'This cannot be done.', details: {} }
    response.writeHead(400, { 'API-Version': '1' }).end(JSON.stringify({ error }))
  })
  const { message, next } = await machine.expectProblem(1, 'unexpected', 'status')
  assert.equal(message, 'This cannot be done.')
  assert.match(next, /\/docs\/errors/)
})

test('a service URL that is not an https origin is rejected', async (t) => {
  const machine = await createMachine(t, {})
  for (const url of ['http://login.example.com', 'ftp://x', 'nonsense', 'https://x.example/path']) {
    await machine.expectProblem(2, 'serviceUrlInvalid', 'init', '--service', url)
  }
})

/** Uses up the guest limit of 100 lifetime events, four refreshes a minute. */
async function pause(tenant: Tenant, browser: Browser, clock: Clock): Promise<void> {
  let { refresh_token } = await tenant.signIn(browser)
  for (let spent = 2; spent < 100; spent++) {
    if (spent % 4 === 0) {
      clock.advance({ minutes: 1 })
    }
    refresh_token = (await tenant.refresh(refresh_token)).refresh_token
  }
  clock.advance({ minutes: 1 })
  await tenant.assertRefreshRejected(refresh_token, 'tenantPaused')
}
