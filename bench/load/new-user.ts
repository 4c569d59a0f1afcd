import { randomInt } from 'node:crypto'
import { Browser } from '../../service/test/support/actors/browser.ts'
import { keepAliveTransport } from './keep-alive-transport.ts'

const transports: ReturnType<typeof keepAliveTransport>[] = []

/** The browser of a new user: no cookies, and a random client address in X-Forwarded-For. Reuses the TCP connections. */
export function newUser(connection: number, origins: readonly string[]): Browser {
  transports[connection] ??= keepAliveTransport()
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
  return new Browser({ origins, headers: { 'X-Forwarded-For': address }, transport: transports[connection] })
}
