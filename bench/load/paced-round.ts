import { setTimeout as sleep } from 'node:timers/promises'
import { KeptConnection } from '../fairness/kept-connection.ts'
import { quantile } from '../statistics.ts'
import type { RoundResult } from './round-recorder.ts'
import type { Exchange } from './workloads/replay.ts'

const CLIENTS = 4
const PAUSE_MS = 2

export interface PacedRound {
  readonly exchanges: readonly Exchange[]
  readonly port: number
  readonly seconds: number
}

/** A few clients that pause between requests, in this process: a small load, whose latency shows what others cause. */
export async function pacedRound({
  exchanges,
  port,
  seconds,
}: PacedRound): Promise<Pick<RoundResult, 'requests' | 'seconds' | 'p50Ms' | 'p99Ms' | 'problem'>> {
  const end = performance.now() + seconds * 1_000
  const latencies: number[] = []
  let cursor = 0
  let problem: string | null = null
  const client = async (): Promise<void> => {
    const connection = new KeptConnection(port)
    while (problem === null && performance.now() < end) {
      const exchange = exchanges[cursor++ % exchanges.length]
      if (exchange === undefined) break
      const began = performance.now()
      const { status, body } = await connection.send(exchange.request)
      latencies.push(performance.now() - began)
      if (status !== 200 || !body.includes('"valid":true')) problem = `verify: ${status} ${body}`
      await sleep(PAUSE_MS)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  latencies.sort((a, b) => a - b)
  return {
    requests: latencies.length,
    seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    problem,
  }
}
