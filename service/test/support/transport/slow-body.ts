import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { TestContext } from 'node:test'
import type { Clock } from '../clock.ts'
import { readResponse } from './http-transport.ts'

interface SlowRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * Sends a request whose body is complete two seconds of `clock` after the service has read the credential of it, by the
 * method `read` of `store`. Runs `meanwhile` in between.
 */
export async function sendSlowly<S extends object>(
  t: TestContext,
  { url, method, headers, body }: SlowRequest,
  {
    clock,
    store,
    read,
  }: { readonly clock: Clock; readonly store: S; readonly read: keyof S & string },
  meanwhile: () => Promise<unknown>,
): Promise<Response> {
  const original = store[read] as (...args: unknown[]) => Promise<unknown>
  const authenticated = Promise.withResolvers<void>()
  t.mock.method(store as Record<string, typeof original>, read, (...args: unknown[]) =>
    original(...args).finally(authenticated.resolve),
  )
  const sent = request(url, {
    method,
    headers: { ...headers, 'Content-Length': String(body.length) },
  })
  const responded = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.write(body.subarray(0, 1))
  await authenticated.promise
  await meanwhile()
  clock.advance({ seconds: 2 })
  sent.end(body.subarray(1))
  const [response] = await responded
  return readResponse(response)
}
