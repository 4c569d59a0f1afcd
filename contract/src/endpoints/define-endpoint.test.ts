import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { defineEndpoint } from './define-endpoint.ts'

// The compiler checks these: an unused `@ts-expect-error` fails the type check.

const rename = {
  id: 'rename',
  method: 'POST',
  path: '/api/names',
  auth: 'none',
  summary: 'Rename.',
  tag: 'Tenants',
  body: z.strictObject({ names: z.array(z.string()) }),
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [],
} as const

test('an endpoint whose example is missing or does not fit its schemas does not compile', () => {
  const response = { success: true } as const
  const endpoints = [
    defineEndpoint({ ...rename, example: { body: { names: ['a'] }, response } }),
    // @ts-expect-error there is no example
    defineEndpoint(rename),
    // @ts-expect-error the example leaves out the body
    defineEndpoint({ ...rename, example: { response } }),
    // @ts-expect-error names are text
    defineEndpoint({ ...rename, example: { body: { names: [1] }, response } }),
    defineEndpoint({
      ...rename,
      // @ts-expect-error success is always true
      example: { body: { names: ['a'] }, response: { success: false } },
    }),
  ]
  assert.equal(endpoints.length, 5)
})

test('an endpoint with a misspelt key or an unknown header does not compile', () => {
  const endpoint = {
    ...rename,
    example: { body: { names: ['a'] }, response: { success: true } },
  } as const
  const endpoints = [
    // @ts-expect-error description is misspelt
    defineEndpoint({ ...endpoint, descripton: 'More.' }),
    // @ts-expect-error headers is misspelt
    defineEndpoint({ ...endpoint, ok: { ...endpoint.ok, header: ['ETag'] } }),
    // @ts-expect-error no response header has this name
    defineEndpoint({ ...endpoint, ok: { ...endpoint.ok, headers: ['Etag'] } }),
    // @ts-expect-error no endpoint reads this header
    defineEndpoint({ ...endpoint, requestHeaders: { 'If-Mach': 'The version.' } }),
  ]
  assert.equal(endpoints.length, 4)
})
