import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuthorizeResponse, SignIn } from '../domain/login/identity-provider.ts'
import {
  errorCode,
  limitSignIns,
  loggable,
  ProviderFault,
  providerErrorCode,
} from './sign-in-error.ts'

test('200 sign-ins wait for a provider; the next one is busy until one has ended', async () => {
  const waiting: (() => void)[] = []
  const denied: SignIn = { outcome: 'denied' }
  const signIn = limitSignIns(
    () => new Promise<SignIn>((resolve) => waiting.push(() => resolve(denied))),
  )
  const response = {} as AuthorizeResponse
  const started = Array.from({ length: 200 }, () => signIn(response))
  assert.deepEqual(await signIn(response), {
    outcome: 'failed',
    stage: 'token_exchange',
    errorCode: 'busy',
  })
  assert.equal(waiting.length, 200)
  waiting[0]?.()
  await started[0]
  started.push(signIn(response))
  for (const end of waiting) {
    end()
  }
  assert.ok((await Promise.all(started)).every(({ outcome }) => outcome === 'denied'))
})

test('the log gets names, codes and fixed messages of an error and its causes, and no text of a provider', () => {
  const coded = Object.assign(new Error('fixed'), {
    code: 'E_CODE',
    cause: new SyntaxError('{"access_token":"secret"'),
  })
  assert.equal(loggable(coded).message, 'Error E_CODE: fixed < SyntaxError')
  assert.equal(loggable(Object.assign(new Error('fixed'), { code: 7 })).message, 'Error: fixed')
  assert.equal(loggable('secret').message, 'something that is not an error was thrown')
  const circular = new Error('once')
  circular.cause = circular
  assert.equal(loggable(circular).message, 'Error: once')
})

test('an error is known by the fault among its causes, and only listed codes of a provider are kept', () => {
  assert.equal(
    errorCode('userinfo', new Error('x', { cause: new ProviderFault('redirected') })),
    'redirected',
  )
  assert.equal(errorCode('userinfo', new Error('x')), 'unexpected')
  assert.equal(providerErrorCode('invalid_grant'), 'invalid_grant')
  for (const code of [undefined, '<script>', 'toString', '__proto__']) {
    assert.equal(providerErrorCode(code), 'provider_error')
  }
})
