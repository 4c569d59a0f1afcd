import { Connection } from './connection.ts'
import { RoundRecorder, type RoundResult } from './round-recorder.ts'
import type { Journey, Workload } from './workload.ts'

export interface RoundOptions {
  readonly port: number
  readonly connections: number
  readonly seconds: number
}

/** Sends requests on all connections as fast as responses arrive. The first wrong response ends the round. */
export async function round(workload: Workload | Journey, options: RoundOptions): Promise<RoundResult> {
  const { port, connections, seconds } = options
  const recorder = new RoundRecorder(seconds)
  const { isRunning, recordLatency } = recorder
  await Promise.all(
    Array.from({ length: connections }, async (_, number) => {
      const problem =
        'journey' in workload
          ? await repeatJourney(workload, number, recorder)
          : await new Connection({ workload, number, port, isRunning, recordLatency }).run()
      recorder.recordProblem(problem)
    }),
  )
  return recorder.result()
}

async function repeatJourney(
  { journey }: Journey,
  connection: number,
  { isRunning, recordLatency }: RoundRecorder,
): Promise<string | null> {
  while (isRunning()) {
    const began = performance.now()
    const problem = await journey(connection).catch(String)
    if (problem !== null) return problem
    recordLatency(performance.now() - began)
  }
  return null
}
