import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DOCUMENTED_ENDPOINTS,
  type DocumentedEndpoint,
  errorCoverageProblems,
} from './support/ledger/error-coverage.ts'
import { errorOf, type RecordedResponse } from './support/ledger/response-ledger.ts'

// `npm run test:all` checks at its end (scripts/test.ts) that tests produced every documented error and no undocumented one.

const endpoint: DocumentedEndpoint = {
  method: 'POST',
  path: '/api/things/{id}',
  errors: ['invalidRequest', 'tenantExpired'],
}
const other: DocumentedEndpoint = {
  method: 'GET',
  path: '/api/things/{id}',
  errors: ['invalidRequest'],
}
const response = (
  code: string | null,
  { method, path }: DocumentedEndpoint = endpoint,
): RecordedResponse => ({
  method,
  path,
  status: 400,
  code,
})
const codes = ['invalidRequest', 'tenantExpired']
const problems = (...all: RecordedResponse[]): string[] =>
  errorCoverageProblems(all, [endpoint, other], codes)

// proves C152
test('a documented error counts as tested only at the endpoint and method that document it', () => {
  const all = [
    response('invalidRequest'),
    response('tenantExpired'),
    response('invalidRequest', other),
    response(null),
  ]
  assert.deepEqual(problems(...all), [])
  assert.deepEqual(problems(response('invalidRequest'), response('tenantExpired')), [
    'GET /api/things/{id} documents invalidRequest, but no test produced it',
  ])
  assert.deepEqual(problems(response('invalidRequest'), response('invalidRequest', other)), [
    'tenantExpired is documented, but no test produced it anywhere',
    'POST /api/things/{id} documents tenantExpired, but no test produced it',
  ])
})

test('an undocumented error is reported, except internalError and temporarilyUnavailable', () => {
  const all = [
    response('invalidRequest'),
    response('tenantExpired'),
    response('invalidRequest', other),
  ]
  assert.deepEqual(
    problems(...all, response('internalError'), response('temporarilyUnavailable', other)),
    [],
  )
  assert.deepEqual(problems(...all, response('tenantExpired', other)), [
    'GET /api/things/{id} responded 400 tenantExpired, which is not documented',
  ])
})

test('the documented errors of every endpoint come from the contract', () => {
  assert.ok(DOCUMENTED_ENDPOINTS.length > 25)
  const verify = DOCUMENTED_ENDPOINTS.find(({ path }) => path === '/edge/auth/{tenantId}/verify')
  assert.ok(verify?.errors.includes('notProvisioned'))
  assert.ok(DOCUMENTED_ENDPOINTS.every(({ path }) => !path.includes(':')))
})

test('an error code is read from our error format, from OAuth’s and from a redirect URL', () => {
  const none = new Headers()
  assert.equal(errorOf(403, none, '{"error":{"code":"tenantPaused"}}'), 'tenantPaused')
  assert.equal(errorOf(400, none, '{"error":"invalid_grant"}'), 'invalid_grant')
  // JSON-RPC error codes are numbers.
  assert.equal(errorOf(404, none, '{"error":{"code":-32601}}'), null)
  for (const other of ['<!doctype html>', '', '[]', 'null', '{"status":"ok"}']) {
    assert.equal(errorOf(404, none, other), null, other)
  }
  const to = (location: string): Headers => new Headers({ Location: location })
  assert.equal(
    errorOf(303, to('https://app.example.com/cb?error=login_failed'), ''),
    'redirect with login_failed',
  )
  for (const success of ['https://app.example.com/cb?access_token=x', '/account']) {
    assert.equal(errorOf(303, to(success), ''), null, success)
  }
})

test('a page redirects only with documented errors', () => {
  const all = [
    response('invalidRequest'),
    response('tenantExpired'),
    response('invalidRequest', other),
  ]
  const page = (code: string): RecordedResponse => ({
    method: 'POST',
    path: null,
    status: 303,
    code,
  })
  assert.deepEqual(problems(...all, page('redirect with access_denied')), [])
  assert.deepEqual(problems(...all, page('redirect with nonsense')), [
    'POST (a page) responded 303 redirect with nonsense, which is not documented',
  ])
})
