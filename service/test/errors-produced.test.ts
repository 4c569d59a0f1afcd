import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorOf, type Seen } from './support/ledger/answers-seen.ts'
import { DECLARED, type Declared, errorProblems } from './support/ledger/errors-produced.ts'

// What `npm run test:all` holds at its end (scripts/test.ts): every documented error was answered, none was undocumented.

const endpoint: Declared = { method: 'POST', path: '/api/things/{id}', errors: ['invalidRequest', 'tenantExpired'] }
const other: Declared = { method: 'GET', path: '/api/things/{id}', errors: ['invalidRequest'] }
const seen = (code: string | null, { method, path }: Declared = endpoint): Seen => ({ method, path, status: 400, code })
const codes = ['invalidRequest', 'tenantExpired']
const problems = (...all: Seen[]): string[] => errorProblems(all, [endpoint, other], codes)

test('a documented refusal counts as produced only at the endpoint and by the method that documents it', () => {
  const all = [seen('invalidRequest'), seen('tenantExpired'), seen('invalidRequest', other), seen(null)]
  assert.deepEqual(problems(...all), [])
  assert.deepEqual(problems(seen('invalidRequest'), seen('tenantExpired')), [
    'GET /api/things/{id} documents invalidRequest, and no test was answered so',
  ])
  assert.deepEqual(problems(seen('invalidRequest'), seen('invalidRequest', other)), [
    'tenantExpired is documented, and no test was answered so anywhere',
    'POST /api/things/{id} documents tenantExpired, and no test was answered so',
  ])
})

test('a code that an endpoint does not document is a problem, unless it is one that any endpoint may answer', () => {
  const all = [seen('invalidRequest'), seen('tenantExpired'), seen('invalidRequest', other)]
  assert.deepEqual(problems(...all, seen('internalError'), seen('temporarilyUnavailable', other)), [])
  assert.deepEqual(problems(...all, seen('tenantExpired', other)), [
    'GET /api/things/{id} answered 400 tenantExpired, which is not documented',
  ])
})

test('what is declared is what the contract declares, with a route for every endpoint', () => {
  assert.ok(DECLARED.length > 25)
  const verify = DECLARED.find(({ path }) => path === '/edge/auth/{tenantId}/verify')
  assert.ok(verify?.errors.includes('notProvisioned'))
  assert.ok(DECLARED.every(({ path }) => !path.includes(':')))
})

test('the name of an error is found in our shape, in OAuth’s and in a redirect, and nowhere else', () => {
  const none = new Headers()
  assert.equal(errorOf(403, none, '{"error":{"code":"tenantPaused"}}'), 'tenantPaused')
  assert.equal(errorOf(400, none, '{"error":"invalid_grant"}'), 'invalid_grant')
  // JSON-RPC has numbers of its own.
  assert.equal(errorOf(404, none, '{"error":{"code":-32601}}'), null)
  for (const other of ['<!doctype html>', '', '[]', 'null', '{"status":"ok"}']) {
    assert.equal(errorOf(404, none, other), null, other)
  }
  const to = (location: string): Headers => new Headers({ Location: location })
  assert.equal(errorOf(303, to('https://app.example.com/cb?error=login_failed'), ''), 'redirect with login_failed')
  for (const fine of ['https://app.example.com/cb?access_token=x', '/account']) {
    assert.equal(errorOf(303, to(fine), ''), null, fine)
  }
})

test('a page may redirect only with an error that is documented', () => {
  const all = [seen('invalidRequest'), seen('tenantExpired'), seen('invalidRequest', other)]
  const page = (code: string): Seen => ({ method: 'POST', path: null, status: 303, code })
  assert.deepEqual(problems(...all, page('redirect with access_denied')), [])
  assert.deepEqual(problems(...all, page('redirect with nonsense')), [
    'POST (a page) answered 303 redirect with nonsense, which is not documented',
  ])
})
