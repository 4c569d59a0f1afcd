import type { LoadTarget } from '../load/rounds.ts'
import type { Program } from '../processes/program.ts'

/** A running contender, prepared for one workload. */
export interface Setup extends LoadTarget {
  readonly workload: string
  readonly durability?: string
  /** Stopped at the end of the benchmark. */
  readonly programs: readonly Pick<Program, 'stop'>[]
}

/** Stops all drivers and programs, also of a benchmark that failed. */
export async function closeAll(setups: readonly Setup[]): Promise<void> {
  for (const { driver } of setups) {
    driver.stop()
  }
  for (const program of new Set(setups.flatMap(({ programs }) => programs))) {
    await program.stop()
  }
}
