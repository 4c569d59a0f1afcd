import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { startService } from '../support/process/service-process.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { slow } from '../support/tags.ts'
import { rawHttp } from '../support/transport/raw-http.ts'

/** The response comes within milliseconds. Without one the test fails here, and not at the limit of the run. */
const UNANSWERED_MS = 20_000

/** The constant header of an access token, an empty payload and an invalid signature. */
const OUR_HEADER_ONLY = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjEifQ.e30.A'

test('a tenant id too long for key derivation is a 404, and the process keeps serving', {
  skip: slow,
}, async (t) => {
  const { settings, child } = await startService(t)
  const base = `http://localhost:${settings.PORT}`
  for (const [act, field] of [
    ['verify', 'access_token'],
    ['refresh', 'refresh_token'],
    ['logout', 'refresh_token'],
  ] as const) {
    const body = JSON.stringify({ [field]: OUR_HEADER_ONLY })
    const lines = [
      `POST /edge/auth/${'x'.repeat(1_100)}/${act} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    const response = await rawHttp(base, lines, body)
    assert.equal(response.status, 404, act)
    assert.equal(JSON.parse(response.body).error.code, 'tenantNotFound', act)
  }
  assert.equal((await fetch(`${base}/readyz`)).status, 200)
  assert.equal(child.exitCode, null)
})

test('an exception outside of any request is logged and counted, and the process keeps serving', {
  skip: slow,
}, async (t) => {
  const preload = path.resolve(import.meta.dirname, 'throw-on-signal.ts')
  const { settings, child, output } = await startService(t, { NODE_OPTIONS: `--import=${preload}` })
  child.kill('SIGUSR2')
  await waitUntil('it is logged', () => output().includes('uncaught error outside of any request'))
  const line = output()
    .split('\n')
    .find((each) => each.includes('uncaught error'))
  assert.match(line ?? '', /"level":50/)
  const metrics = await (await fetch(`http://localhost:${settings.PORT}/metrics`)).text()
  assert.match(metrics, /^gatehouse_uncaught_errors_total 1$/m)
  assert.equal(child.exitCode, null)
})

test('an exception in a listener or timer of a request returns 500 with a request id, and is logged', {
  skip: slow,
  timeout: UNANSWERED_MS,
}, async (t) => {
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, 'throwing-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  const [port] = (await once(lines, 'line')) as [string]
  for (const where of ['timer', 'listener', 'rejection']) {
    const logged = once(lines, 'line') as Promise<[string]>
    const response = await fetch(`http://localhost:${port}/${where}`, { signal: t.signal })
    const { error } = (await response.json()) as { error: { code: string; request_id: string } }
    assert.deepEqual([response.status, error.code], [500, 'internalError'], where)
    assert.equal(response.headers.get('x-request-id'), error.request_id)
    const [line] = await logged
    assert.ok(line.includes(error.request_id) && line.includes(`thrown in a ${where}`), line)
  }
})
