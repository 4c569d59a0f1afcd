import { randomInt } from 'node:crypto'
import { Browser } from '../../service/test/support/actors/browser.ts'
import { keepAliveTransport } from './keep-alive-transport.ts'

const transports: ReturnType<typeof keepAliveTransport>[] = []

/**
 * A person who comes for the first time: a browser without cookies, from an address of their own, which the proxy in
 * front would tell. Only the connections are those of whoever came before on this lane.
 */
export function somebodyNew(lane: number, origins: readonly string[]): Browser {
  transports[lane] ??= keepAliveTransport()
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
  return new Browser({ origins, headers: { 'X-Forwarded-For': address }, transport: transports[lane] })
}
