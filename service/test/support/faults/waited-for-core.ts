import { readFile } from 'node:fs/promises'

/**
 * How long a process was ready to run while others had the cores, in milliseconds (proc(5), /proc/pid/schedstat; its
 * main thread's, which is the one that starts the service). What a machine gives to others is not ours to answer for, so
 * it is taken off a bound on how long we take. Zero where the system does not tell.
 */
export async function waitedForCore(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0 0 0')
  return Number(stat.split(' ')[1]) / 1e6
}
