import { waitUntil } from '../process/wait-until.ts'
import { overHttp } from './http-transport.ts'

/** Waits until a server that was just started responds. */
export const waitUntilReachable = (url: string): Promise<void> =>
  waitUntil(`${url} responds`, async () => {
    try {
      await overHttp(new URL(url), { method: 'GET', headers: {}, body: null })
      return true
    } catch {
      return false
    }
  })
