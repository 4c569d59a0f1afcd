import type { App } from '../../../src/app.ts'
import { assertMatchesOpenApi } from '../ledger/openapi-conformance.ts'
import type { Transport } from './http-transport.ts'

/** Calls `app.fetch` without a socket. Responses are checked against the OpenAPI document, as over HTTP. */
export const inProcessTransport =
  (app: Pick<App, 'fetch'>): Transport =>
  async (url, { method, headers, body }) => {
    const response = await app.fetch(new Request(url, { method, headers, body }))
    assertMatchesOpenApi(method, url, {
      status: response.status,
      headers: response.headers,
      text: await response.clone().text(),
    })
    return response
  }
