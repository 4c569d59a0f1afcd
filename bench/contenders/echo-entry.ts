import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Bench } from '../bench.ts'
import { startDriver } from '../load/start-driver.ts'
import type { Asked } from '../load/work/replay.ts'
import type { Entry } from './entry.ts'
import { startEcho } from './start-echo.ts'

/** As long as an access token of ours. */
const TOKEN_BYTES = 390
const DIFFERENT_REQUESTS = 10_000

/** The limit, asked in the shape of a verify. */
export async function echoEntry(bench: Bench, work: string): Promise<Entry> {
  const program = await startEcho(bench)
  const data = Array.from({ length: DIFFERENT_REQUESTS }, (): Asked => {
    const access_token = randomBytes(TOKEN_BYTES).toString('base64url')
    return {
      request: {
        method: 'POST',
        path: '/edge/auth/tnt_00000000000000000000/verify',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ access_token }),
      },
      status: 200,
      says: { valid: true, user: { id: 1 } },
    }
  })
  const file = path.join(bench.folder, `echo-${program.port}.json`)
  const cores = bench.placement.load
  const driver = await startDriver({ work: 'replay', data, file, port: program.port, cores })
  return { contender: 'echo', work, pids: () => [program.pid], driver, programs: [program] }
}
