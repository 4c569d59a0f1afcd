import type { App } from '../../../src/app.ts'
import { assertDescribed } from '../ledger/described.ts'
import type { Transport } from './http-transport.ts'

/** Straight into the app, without a socket. Answers are held against their description here too. */
export const withinProcess =
  (app: Pick<App, 'fetch'>): Transport =>
  async (url, { method, headers, body }) => {
    const response = await app.fetch(new Request(url, { method, headers, body }))
    assertDescribed(method, url, {
      status: response.status,
      headers: response.headers,
      text: await response.clone().text(),
    })
    return response
  }
