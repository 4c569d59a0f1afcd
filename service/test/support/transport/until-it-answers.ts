import { waitUntil } from '../process/wait-until.ts'
import { overHttp } from './http-transport.ts'

/** A server that was just started needs a moment before it listens. */
export const untilItAnswers = (url: string): Promise<void> =>
  waitUntil(`${url} answers`, async () => {
    try {
      await overHttp(new URL(url), { method: 'GET', headers: {}, body: null })
      return true
    } catch {
      return false
    }
  })
