import { readFileSync } from 'node:fs'
import { Client } from 'pg'

/** CPU time so far in microseconds: of this process, and of PostgreSQL with its children if there is one. */
export async function cpuClock(postgresUrl: string | null): Promise<() => number> {
  const own = (): number => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  if (postgresUrl === null) return own
  const postmaster = await postmasterOf(postgresUrl)
  const known = new Map<number, number>()
  let servers = 0
  // A child that has exited counts with its last known value, a new one with all of its time.
  const serverTime = (): number => {
    for (const pid of [postmaster, ...childrenOf(postmaster)]) {
      const used = microsecondsOf(pid) ?? known.get(pid) ?? 0
      servers += used - (known.get(pid) ?? 0)
      known.set(pid, used)
    }
    return servers
  }
  return () => own() + serverTime()
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

/** From schedstat, in nanoseconds: the hundredths of a second of `/proc/<pid>/stat` are longer than many batches. */
function microsecondsOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1_000
  } catch {
    return null
  }
}
