import type { Entrant } from '../load/rounds.ts'
import type { Program } from '../processes/program.ts'

/** A contender that stands ready for one work. */
export interface Entry extends Entrant {
  readonly work: string
  readonly durability?: string
  /** Started for this entry; ended when the piece is over. */
  readonly programs: readonly Pick<Program, 'stop'>[]
}

/** Ends everything, also when something went wrong half-way. */
export async function closeAll(entries: readonly Entry[]): Promise<void> {
  for (const { driver } of entries) driver.stop()
  for (const program of new Set(entries.flatMap(({ programs }) => programs))) await program.stop()
}
