import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_ERRORS } from '@gatehouse-auth/contract'
import { fixFor, readableRedirectUri } from './refusal.ts'

test('a refused redirect URI is kept without user name, query and fragment, cut to 200 characters, if it is a web address', () => {
  assert.equal(
    readableRedirectUri('https://user:pw@a.test:8443/cb?email=x#y'),
    'https://a.test:8443/cb',
  )
  assert.equal(readableRedirectUri(`http://a.test/${'x'.repeat(300)}`)?.length, 200)
  for (const sent of ['cursor://a.test/cb', 'javascript:alert(1)', 'nonsense']) {
    assert.equal(readableRedirectUri(sent), null)
  }
})

test('the fix asks to register a URL only on a host that is registered already, or on the machine of the user', () => {
  const refusal = {
    code: 'invalidRedirectUri',
    sent: 'https://evil.test/cb',
    closest: null,
    differs: null,
  } as const
  const warning = /only if your app runs there/
  assert.match(fixFor(refusal as never), warning)
  assert.match(fixFor({ ...refusal, differs: 'host' } as never), warning)
  const adding =
    /, or add \S+ to the registered URLs \(`provision --add`; .* replaces the whole list\)/
  assert.match(fixFor({ ...refusal, differs: 'path' } as never), adding)
  assert.match(fixFor({ ...refusal, sent: 'http://localhost:3000/cb' } as never), adding)
})

test('the fix of another refusal does not depend on the URL', () => {
  const refusal = { sent: 'https://a.test/cb', closest: null, differs: null }
  assert.match(fixFor({ ...refusal, code: 'user_blocked' } as never), /unblock lets them in again/)
  assert.match(
    fixFor({ ...refusal, code: 'loginOtherBrowser' } as never),
    /in the browser that finishes the login/,
  )
})

test('the fix of a wrong parameter of the login link names the parameter, that of another invalid request is general', () => {
  const refusal = { code: 'invalidRequest', sent: null, closest: null } as const
  for (const differs of ['prompt', 'response_type', 'code_challenge'] as const) {
    assert.match(fixFor({ ...refusal, differs }), new RegExp(`\\b${differs}\\b`))
  }
  assert.equal(fixFor({ ...refusal, differs: null }), API_ERRORS.invalidRequest.remedy)
})
