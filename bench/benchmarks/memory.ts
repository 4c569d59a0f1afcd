import type { Bench } from '../bench.ts'
import type { Row } from '../report/row.ts'
import { idleMemory } from './memory/idle.ts'
import { revocationMemory } from './memory/revocations.ts'
import { usersListMemory } from './memory/users-list.ts'

/** Resident memory: idle, with many revocations, and while streaming a long list. */
export async function memory(bench: Bench): Promise<Row[]> {
  const idle = await idleMemory(bench)
  if (!bench.options.contenders.includes('gatehouse')) return idle
  return [...idle, ...(await revocationMemory(bench)), ...(await usersListMemory(bench))]
}
