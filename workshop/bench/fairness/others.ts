import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Refreshable } from '../load/workloads/refresh.ts'
import { KeptConnection } from './kept-connection.ts'

// The other tenants, in a separate process: a few clients that refresh one session after the other, with a pause.
// Arguments: the file with the sessions, and the port. Its parent sends `start`, and `stop` for the latencies since then.

const CLIENTS = 8
const PAUSE_MS = 20

/** The requests that began between `start` and `stop`. */
export interface Sample {
  readonly latenciesMs: readonly number[]
  /** Responses other than 200. */
  readonly rejected: number
}

const [, , file = '', port = ''] = process.argv
const sessions = JSON.parse(readFileSync(file, 'utf8')) as Refreshable[]
const tokens = sessions.map(({ refreshToken }) => refreshToken)
let cursor = 0
let sample: { latenciesMs: number[]; rejected: number } = { latenciesMs: [], rejected: 0 }
const inFlight = new Set<Promise<void>>()

async function refreshNext(connection: KeptConnection): Promise<void> {
  const index = cursor++ % sessions.length
  const own = sample
  const began = performance.now()
  const { status, body } = await connection.send({
    method: 'POST',
    path: sessions[index]?.path ?? '',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh_token: tokens[index] }),
  })
  own.latenciesMs.push(performance.now() - began)
  if (status === 200) {
    tokens[index] = (JSON.parse(body.toString()) as { refresh_token: string }).refresh_token
  } else {
    own.rejected += 1
  }
}

for (let client = 0; client < CLIENTS; client++) {
  void (async () => {
    const connection = new KeptConnection(Number(port))
    for (;;) {
      const request = refreshNext(connection)
      inFlight.add(request)
      await request.finally(() => inFlight.delete(request))
      await sleep(PAUSE_MS * (0.5 + Math.random()))
    }
  })()
}

process.on('message', async (message: 'start' | 'stop') => {
  const ended = sample
  sample = { latenciesMs: [], rejected: 0 }
  if (message === 'start') {
    return
  }
  await Promise.all(inFlight)
  process.send?.(ended satisfies Sample)
})
process.send?.('ready')
