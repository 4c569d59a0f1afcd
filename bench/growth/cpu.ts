import { readFileSync } from 'node:fs'
import { Client } from 'pg'

/** What /proc counts in; the same on every Linux that runs Node. */
const TICK_US = 10_000

/** Microseconds of processor time so far: this process, and PostgreSQL with all its children when there is one. */
export async function processorClock(postgresUrl: string | null): Promise<() => number> {
  const own = (): number => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  if (postgresUrl === null) return own
  const postmaster = await postmasterOf(postgresUrl)
  return () => own() + [postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + ticksOf(pid), 0) * TICK_US
}

async function postmasterOf(url: string): Promise<number> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<{ text: string }>("select pg_read_file('postmaster.pid') as text")
  await client.end()
  return Number(rows[0]?.text.split('\n')[0])
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Its own time and that of its children that have ended. One that ended a moment ago counts nothing. */
function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  } catch {
    return 0
  }
}
