import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** CPU time of a process since its start, and its resident memory. */
interface Usage {
  readonly cpuMs: number
  readonly rssBytes: number
}

/** Clock ticks, usually 100 a second. */
const TICK_MS =
  1_000 / Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout?.trim() || '100')

/** User and system time of the process with all its threads (proc(5), fields 14 and 15), and its resident memory. */
function usageOf(pid: number): Usage {
  // The second field, the program's name in parentheses, may contain spaces.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const ticks = Number(stat[11]) + Number(stat[12])
  return { cpuMs: ticks * TICK_MS, rssBytes: rssOf(pid) }
}

export function rssOf(pid: number): number {
  const [, kilobytes = '0'] =
    /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1_024
}

/** The sum over several processes; shared memory is counted once per process. */
export function usageOfAll(pids: readonly number[]): Usage {
  const add = (sum: Usage, { cpuMs, rssBytes }: Usage): Usage => ({
    cpuMs: sum.cpuMs + cpuMs,
    rssBytes: sum.rssBytes + rssBytes,
  })
  return pids.map(usageOf).reduce(add, { cpuMs: 0, rssBytes: 0 })
}

/**
 * CPU time in nanosecond steps instead of ticks of 10 ms (proc(5), schedstat), for batches of a few hundred milliseconds. It
 * misses threads that have ended, so long measurements use `usageOfAll`. Ticks where the kernel has no schedstat.
 */
export function preciseCpuMs(pids: readonly number[]): number {
  try {
    const ns = pids.flatMap((pid) =>
      readdirSync(`/proc/${pid}/task`).map((thread) =>
        Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
      ),
    )
    return ns.reduce((sum, each) => sum + each, 0) / 1e6
  } catch {
    return usageOfAll(pids).cpuMs
  }
}

/** Busy time of all cores since boot, without idle and I/O wait (proc(5), /proc/stat). */
export function busyMsOfMachine(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/).map(Number) ?? []
  return (user + nice + system + irq + softirq) * TICK_MS
}

/** A process and its descendants. */
export function withChildren(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )
  return [pid, ...children.flatMap(withChildren)]
}

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
export const onCores = (
  cores: Cores,
  command: string,
  args: readonly string[],
): [string, string[]] =>
  cores === null ? [command, [...args]] : ['taskset', ['-c', cores.join(','), command, ...args]]

const hasTaskset = (): boolean =>
  spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0

/** Parses Linux's list, such as `0-3,6`. Other systems have neither this list nor `taskset`. */
function allowedCores(): number[] {
  try {
    const [, list = ''] =
      /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return list.split(',').flatMap((part) => {
      const [from = 0, to = from] = part.split('-').map(Number)
      return Array.from({ length: to - from + 1 }, (_, index) => from + index)
    })
  } catch {
    return []
  }
}
