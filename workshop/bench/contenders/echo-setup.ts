import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { freePort } from '../../../service/test/support/transport/free-port.ts'
import type { Bench } from '../bench.ts'
import { startDriver } from '../load/start-driver.ts'
import type { Exchange } from '../load/workloads/replay.ts'
import { type Program, startProgram } from '../processes/program.ts'
import type { Setup } from './setup.ts'

/** The length of our access tokens. */
const TOKEN_BYTES = 390
const DISTINCT_REQUESTS = 10_000

/** The upper bound: the echo, with requests like those of verify. */
export async function echoSetup(bench: Bench, workload: string): Promise<Setup> {
  const program = await startEcho(bench)
  const data = Array.from({ length: DISTINCT_REQUESTS }, (): Exchange => {
    const access_token = randomBytes(TOKEN_BYTES).toString('base64url')
    return {
      request: {
        method: 'POST',
        path: '/edge/auth/tnt_00000000000000000000/verify',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ access_token }),
      },
      status: 200,
      contains: { valid: true, user: { id: 1 } },
    }
  })
  const file = path.join(bench.folder, `echo-${program.port}.json`)
  const cores = bench.placement.load
  const driver = await startDriver({ workload: 'replay', data, file, port: program.port, cores })
  return { contender: 'echo', workload, pids: () => [program.pid], driver, programs: [program] }
}

export async function startEcho({ folder, placement }: Bench): Promise<Program> {
  const port = await freePort()
  return startProgram({
    name: 'echo',
    args: [path.join(import.meta.dirname, 'echo.js')],
    env: { PORT: String(port), NODE_ENV: 'production' },
    cores: placement.contender,
    readerCores: placement.load,
    folder,
    port,
    readyPath: '/',
  })
}
