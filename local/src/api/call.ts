import type { Endpoint } from '@gatehouse/contract'
import { jsonIn } from '../json.ts'
import { readResponse } from './read-answer.ts'
import { apiErrorOf } from './refusals.ts'
import { request } from './request.ts'
import { notUnderstood, requireVersion } from './wrong-service.ts'

export interface CallOptions {
  readonly bearer?: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  readonly heldMs?: number
  readonly signal?: AbortSignal
}

/** Calls an endpoint of the contract and reads its answer by the contract. Everything else is a Problem. */
export async function call<E extends Endpoint>(
  service: string,
  endpoint: E,
  { bearer, query = {}, body, heldMs = 0, signal }: CallOptions = {},
): Promise<ReturnType<E['ok']['body']['parse']>> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const response = await request(service, endpoint.method === 'GET' ? 'GET' : 'POST', pathWith(endpoint.path, search), {
    headers: {
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    heldMs,
    ...(signal === undefined ? {} : { signal }),
  })
  requireVersion(service, response)
  const json = jsonIn(response.text)
  if (response.status < 200 || response.status > 299) throw apiErrorOf(service, response, json)
  const read = readResponse(endpoint.ok.body, json)
  if (read === undefined) throw notUnderstood(service)
  return read as ReturnType<E['ok']['body']['parse']>
}

const pathWith = (path: string, search: string): string => (search === '' ? path : `${path}?${search}`)
