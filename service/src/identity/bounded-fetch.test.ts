import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedFetch, RESPONSE_MAX_BYTES } from './bounded-fetch.ts'
import { ProviderFault } from './sign-in-error.ts'

const NEVER = new AbortController().signal
const fetchOf = (respond: () => Response | Promise<Response>, deadline = NEVER) =>
  boundedFetch(async () => respond(), deadline)('https://provider.example/', {
    method: 'GET',
  } as never)
/** The code of the fault, or the text of the response. */
const resultOf = async (
  respond: () => Response | Promise<Response>,
  deadline = NEVER,
): Promise<string> => {
  try {
    return await (await fetchOf(respond, deadline)).text()
  } catch (error) {
    return error instanceof ProviderFault ? error.code : String(error)
  }
}

test('a redirect of a provider is not followed, also one that fetch hides', async () => {
  for (const status of [300, 302, 307, 399]) {
    const headers = { Location: 'https://elsewhere.example/' }
    assert.equal(await resultOf(() => new Response('x', { status, headers })), 'redirected')
  }
  assert.equal(await resultOf(() => Response.error()), 'redirected')
  for (const status of [200, 299, 400]) {
    assert.equal(await resultOf(() => new Response('x', { status })), 'x')
  }
})

test('a response of a provider has at most 64 KiB', async () => {
  assert.equal(
    (await resultOf(() => new Response('x'.repeat(RESPONSE_MAX_BYTES)))).length,
    64 * 1_024,
  )
  assert.equal(
    await resultOf(() => new Response('x'.repeat(RESPONSE_MAX_BYTES + 1))),
    'answer_too_large',
  )
})

test('a response of a provider that names a member twice is malformed; one that is not JSON is not judged here', async () => {
  assert.equal(await resultOf(() => new Response('{"sub":"1","sub":"2"}')), 'malformed_answer')
  assert.equal(await resultOf(() => new Response('{"sub":"1","sub":"2"')), '{"sub":"1","sub":"2"')
})

test('a provider that cannot be reached is told apart from one that is too slow', async () => {
  const fails = () => Promise.reject(new Error('ECONNREFUSED'))
  assert.equal(await resultOf(fails), 'unreachable')
  assert.equal(await resultOf(fails, AbortSignal.abort()), 'timeout')
})
