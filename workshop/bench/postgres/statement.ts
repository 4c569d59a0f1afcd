import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Pool } from 'pg'
import type { Bench } from '../bench.ts'
import type { Setup } from '../contenders/setup.ts'
import { RoundRecorder, type RoundResult } from '../load/response-reader.ts'

const CONCURRENCIES = [4, 8, 16, 32]

/**
 * The same refresh as one prepared statement sent directly to PostgreSQL, at its best concurrency: the upper bound for a
 * service that sends each refresh as a separate statement.
 */
export async function statementSetup(
  bench: Bench,
  workload: string,
  load: Omit<StatementLoad, 'folder'>,
): Promise<Setup> {
  const pgbench = hasPgbench()
  const statementLoad = { ...load, folder: bench.folder }
  const once = pgbench ? pgbenchRound : statementRound
  const tried: { readonly connections: number; readonly perSecond: number }[] = []
  for (const connections of CONCURRENCIES) {
    const { requests, seconds } = await once(statementLoad, { connections, seconds: 1 })
    tried.push({ connections, perSecond: requests / seconds })
  }
  const { connections } = tried.reduce((best, each) =>
    each.perSecond > best.perSecond ? each : best,
  )
  return {
    contender: pgbench
      ? 'pgbench, one statement'
      : 'pg client, one statement (pgbench not installed)',
    workload,
    durability: `PostgreSQL, fsync on, ${connections} connections`,
    pids: () => [],
    driver: {
      prepare: async () => {},
      round: ({ seconds }) => once(statementLoad, { connections, seconds }),
      stop: () => {},
    },
    programs: [],
  }
}

/** Without pgbench: the same prepared statement through `pg`. */
async function statementRound(
  { databaseUrl, sessions }: StatementLoad,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<RoundResult> {
  const pool = new Pool({ connectionString: databaseUrl, max: connections })
  const recorder = new RoundRecorder(seconds)
  const caller = async (): Promise<void> => {
    while (recorder.isRunning()) {
      const sent = performance.now()
      const session = 1 + Math.floor(Math.random() * sessions)
      const { rowCount } = await pool.query({
        name: 'refresh',
        text: numberedStatement,
        values: [session, Date.now()],
      })
      recorder.recordProblem(rowCount === 1 ? null : `the statement changed ${rowCount} rows`)
      recorder.recordLatency(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  await pool.end()
  return recorder.result()
}

const TEXT = readFileSync(new URL('refresh.sql', import.meta.url), 'utf8')

/** For pgbench, with named parameters. */
const pgbenchScript = (sessions: number, now: number): string =>
  `\\set session random(1, ${sessions})\n\\set now ${now}\n${TEXT}`

/** For `pg`: $1 is the session, $2 the time. */
const numberedStatement = TEXT.replaceAll(':session', '$1').replaceAll(':now', '$2')

const execute = promisify(execFile)

const hasPgbench = (): boolean =>
  spawnSync('pgbench', ['--version'], { stdio: 'ignore' }).status === 0

interface StatementLoad {
  readonly databaseUrl: string
  readonly sessions: number
  readonly folder: string
}

/** Runs the statement with pgbench in prepared mode. */
async function pgbenchRound(
  { databaseUrl, sessions, folder }: StatementLoad,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<RoundResult> {
  const script = path.join(folder, 'refresh.pgbench')
  writeFileSync(script, pgbenchScript(sessions, Date.now()))
  const { hostname, port, username, pathname } = new URL(databaseUrl)
  const { stdout } = await execute('pgbench', [
    ...['-h', hostname, '-p', port, '-U', username, '-n', '-M', 'prepared', '-f', script],
    ...['-c', String(connections), '-j', '1', '-T', String(seconds), pathname.slice(1)],
  ])
  const perSecond = numberIn(stdout, /tps = ([\d.]+)/)
  const averageMs = numberIn(stdout, /latency average = ([\d.]+) ms/)
  const failed = numberIn(stdout, /number of failed transactions: (\d+)/)
  return {
    requests: perSecond * seconds,
    seconds,
    // pgbench reports the average, no quantiles.
    p50Ms: averageMs,
    p99Ms: Number.NaN,
    loadCpuMs: Number.NaN,
    problem: failed === 0 ? null : `${failed} transactions failed`,
  }
}

function numberIn(text: string, pattern: RegExp): number {
  const [, found] = pattern.exec(text) ?? []
  if (found === undefined) {
    throw new Error(`pgbench did not print ${pattern}: ${text}`)
  }
  return Number(found)
}
