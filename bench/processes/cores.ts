import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Which cores a process may run on; null: wherever the system puts it. */
export type Cores = readonly number[] | null

/**
 * The contender has one core to itself and everything that asks it questions another, so that neither takes the
 * other's time. Without `taskset`, or on one core, nothing is pinned, and the report says so.
 */
export interface Placement {
  readonly contender: Cores
  readonly load: Cores
  readonly pinned: boolean
}

export function placement(): Placement {
  const [first, second] = allowedCores()
  if (first === undefined || second === undefined || !hasTaskset()) {
    return { contender: null, load: null, pinned: false }
  }
  return { contender: [first], load: [second], pinned: true }
}

/** The command that runs this command on these cores. It becomes that command, so the process id is the same. */
export const onCores = (cores: Cores, command: string, args: readonly string[]): [string, string[]] =>
  cores === null ? [command, [...args]] : ['taskset', ['-c', cores.join(','), command, ...args]]

const hasTaskset = (): boolean => spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0

/** As Linux lists them: `0-3,6`. Elsewhere there is no such list, and no `taskset` either. */
function allowedCores(): number[] {
  try {
    const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return list.split(',').flatMap((part) => {
      const [from = 0, to = from] = part.split('-').map(Number)
      return Array.from({ length: to - from + 1 }, (_, index) => from + index)
    })
  } catch {
    return []
  }
}
