import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** What a process has used since it began, and holds now. */
export interface Usage {
  readonly cpuMs: number
  readonly rssBytes: number
}

/** Time is counted in ticks, a hundred a second on every Linux we know. */
const TICK_MS = 1_000 / Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout?.trim() || '100')

/** User and system time of the process with all its threads (proc(5), fields 14 and 15), and its resident memory. */
function usageOf(pid: number): Usage {
  // The name of the program comes second, in parentheses, and may have spaces in it.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const ticks = Number(stat[11]) + Number(stat[12])
  return { cpuMs: ticks * TICK_MS, rssBytes: rssOf(pid) }
}

export function rssOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1_024
}

/** Of several processes together: what they share is counted more than once. */
export function usageOfAll(pids: readonly number[]): Usage {
  const add = (sum: Usage, { cpuMs, rssBytes }: Usage): Usage => ({
    cpuMs: sum.cpuMs + cpuMs,
    rssBytes: sum.rssBytes + rssBytes,
  })
  return pids.map(usageOf).reduce(add, { cpuMs: 0, rssBytes: 0 })
}

/** Of all cores together, since the machine began: everything but idling and waiting for a disk (proc(5), /proc/stat). */
export function busyMsOfMachine(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/).map(Number) ?? []
  return (user + nice + system + irq + softirq) * TICK_MS
}

/** A process and all that it started. */
export function withChildren(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(withChildren)]
}
