import { readFileSync } from 'node:fs'
import { run } from './run.ts'

/** Resident set size of a process, in megabytes. */
export async function rssOf(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const [, kilobytes = '0'] =
      /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1_024
  }
  return Number(await run('ps', ['-o', 'rss=', '-p', String(pid)])) / 1_024
}
