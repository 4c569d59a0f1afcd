import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import * as contract from '@gatehouse/contract'
import type { z } from 'zod'
import type { WirePair } from '../src/answers.ts'
import * as sdk from '../src/index.ts'
import type { NodeRequest, NodeResponse } from '../src/node.ts'
import { API_ERRORS } from '../src/refusal.ts'

// Most of this file is checked by the compiler: a type of the SDK that is no longer the contract's does not compile.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T
type Body<E extends { ok: { body: z.ZodType } }> = z.infer<E['ok']['body']>
const same = <_True extends true>(): void => {}

same<Equal<Writable<sdk.User>, contract.VerifiedUser>>()
same<Equal<Writable<sdk.Verification>, Body<typeof contract.verifyAccessToken>>>()
same<Equal<Writable<WirePair>, Body<typeof contract.refreshSession>>>()
same<Equal<keyof sdk.TokenPair, Camel<keyof WirePair>>>()

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S

/** Everything that the three endpoints may refuse with, and what any endpoint may fail with. */
type Refusable =
  | (typeof contract.verifyAccessToken)['errors'][number]
  | (typeof contract.refreshSession)['errors'][number]
  | (typeof contract.logOut)['errors'][number]
  | 'internalError'
  | 'temporarilyUnavailable'
same<Equal<keyof typeof API_ERRORS, Refusable>>()

// Node's own objects fit, and so does whatever has a standard fetch and a standard Request.
const fits = <_A extends B, B>(): void => {}
fits<IncomingMessage, NodeRequest>()
fits<ServerResponse, NodeResponse>()
fits<Request, sdk.RequestLike>()
fits<typeof globalThis.fetch, sdk.Fetch>()

test('the numbers and names are those of the contract', () => {
  assert.equal(sdk.ACCESS_TOKEN_COOKIE.maxAge, contract.ACCESS_TOKEN_SECONDS)
  assert.equal(sdk.REFRESH_TOKEN_COOKIE.maxAge, contract.REFRESH_TOKEN_SECONDS)
  const client = sdk.createClient({ baseUrl: 'https://x.example', tenantId: 'a-b' })
  assert.equal(client.loginUrl(), contract.loginUrl('https://x.example', 'a-b'))
})

test('an error is retryable here exactly when the contract says so', () => {
  const facts = { status: 400, requestId: null, retryAfterSeconds: null, details: {} }
  for (const [code, make] of Object.entries(API_ERRORS)) {
    assert.equal(make('It is so.', facts).retryable, contract.API_ERRORS[code as Refusable].retryable, code)
  }
})
