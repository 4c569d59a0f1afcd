import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from '../database-errors.ts'
import type { SqliteFile, SqliteResult } from './file.ts'

const BUSY_FOR_MS = 5_000
const RETRY_MAX_MS = 25

/** Waits for another process's transaction without stopping everything else in this one. */
export async function withBusyRetry(
  file: SqliteFile,
  sql: string,
  parameters: readonly unknown[],
): Promise<SqliteResult> {
  const deadline = performance.now() + BUSY_FOR_MS
  for (let wait = 1; ; wait = Math.min(wait * 2, RETRY_MAX_MS)) {
    try {
      return file.run(sql, parameters)
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(wait)
    }
  }
}
