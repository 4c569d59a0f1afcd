import { readFile } from 'node:fs/promises'

/**
 * How long the main thread of a process was runnable while other processes had the cores, in milliseconds (proc(5),
 * /proc/pid/schedstat). Time bounds exclude it, because the load of the machine is not under test. Zero where the system
 * does not report it.
 */
export async function cpuWaitMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0 0 0')
  return Number(stat.split(' ')[1]) / 1e6
}
