import type { Endpoint } from '@gatehouse/contract'
import { parseJson } from '../json.ts'
import { apiErrorOf } from './api-errors.ts'
import { requireVersion, unexpectedResponse } from './api-version.ts'
import { readResponse } from './read-response.ts'
import { request } from './request.ts'

export interface CallOptions {
  readonly bearer?: string
  /** The values of `:name` in the path. */
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** The body of an endpoint that takes a file. */
  readonly file?: Uint8Array
  readonly extraTimeoutMs?: number
}

/** Calls an endpoint and parses its response by the contract. Everything else throws a Problem. */
export async function call<E extends Endpoint>(
  service: string,
  endpoint: E,
  { bearer, params = {}, query = {}, body, file, extraTimeoutMs = 0 }: CallOptions = {},
): Promise<ReturnType<E['ok']['body']['parse']>> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const sent = file ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await request(service, endpoint.method, pathOf(endpoint, params, search), {
    headers: {
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(sent === undefined ? {} : { 'Content-Type': endpoint.fileBody ?? 'application/json' }),
    },
    ...(sent === undefined ? {} : { body: sent }),
    extraTimeoutMs,
  })
  requireVersion(service, response)
  const json = parseJson(response.text)
  if (response.status < 200 || response.status > 299) throw apiErrorOf(service, response, json)
  const read = readResponse(endpoint.ok.body, json)
  if (read === undefined) throw unexpectedResponse(service)
  return read as ReturnType<E['ok']['body']['parse']>
}

function pathOf({ path }: Endpoint, params: NonNullable<CallOptions['params']>, search: string): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  return search === '' ? filled : `${filled}?${search}`
}
