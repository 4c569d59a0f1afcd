import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The cores a process may run on; null for all. */
export type Cores = readonly number[] | null

/**
 * The contender has one core, the load generator and the OpenID provider another, so that they don't compete for CPU.
 * Without `taskset`, or with a single core, nothing is pinned, and the report says so.
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

/** A command that runs the given one on these cores. `taskset` replaces itself, so the process id stays the same. */
export const onCores = (cores: Cores, command: string, args: readonly string[]): [string, string[]] =>
  cores === null ? [command, [...args]] : ['taskset', ['-c', cores.join(','), command, ...args]]

const hasTaskset = (): boolean => spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0

/** Parses Linux's list, such as `0-3,6`. Other systems have neither this list nor `taskset`. */
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
