import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { RoundResult } from '../load/round-recorder.ts'
import { pgbenchScript } from './refresh-statement.ts'

const execute = promisify(execFile)

export const hasPgbench = (): boolean => spawnSync('pgbench', ['--version'], { stdio: 'ignore' }).status === 0

export interface StatementLoad {
  readonly databaseUrl: string
  readonly sessions: number
  readonly folder: string
}

/** Runs the statement with pgbench in prepared mode. */
export async function pgbenchRound(
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
  if (found === undefined) throw new Error(`pgbench did not print ${pattern}: ${text}`)
  return Number(found)
}
