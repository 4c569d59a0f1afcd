import { Lane } from './lane.ts'
import { type RoundResult, RoundWatch } from './round-watch.ts'
import type { Journey, Work } from './work.ts'

export interface RoundOptions {
  readonly port: number
  readonly connections: number
  readonly seconds: number
}

/** Some connections that ask as fast as they are answered, for some seconds. The first wrong answer ends it. */
export async function round(work: Work | Journey, options: RoundOptions): Promise<RoundResult> {
  const { port, connections, seconds } = options
  const watch = new RoundWatch(seconds)
  const { goesOn, answered } = watch
  const lanes = Array.from({ length: connections }, async (_, number) => {
    const problem =
      'journey' in work
        ? await journeys(work, number, goesOn, answered)
        : await new Lane({ work, number, port, goesOn, answered }).run()
    watch.noteProblem(problem)
  })
  await Promise.all(lanes)
  return watch.result()
}

async function journeys(
  { journey }: Journey,
  lane: number,
  goesOn: () => boolean,
  answered: (ms: number) => void,
): Promise<string | null> {
  while (goesOn()) {
    const began = performance.now()
    const problem = await journey(lane).catch(String)
    if (problem !== null) return problem
    answered(performance.now() - began)
  }
  return null
}
