import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from '../database-errors.ts'
import type { SqliteFile, SqliteResult } from './file.ts'

const RETRY_DELAY_MAX_MS = 25

/** Retries while another process holds the write lock, without blocking the event loop. */
export async function withBusyRetry(
  file: SqliteFile,
  sql: string,
  parameters: readonly unknown[],
  busyMs: number,
): Promise<SqliteResult> {
  const deadline = performance.now() + busyMs
  for (let wait = 1; ; wait = Math.min(wait * 2, RETRY_DELAY_MAX_MS)) {
    try {
      return file.run(sql, parameters)
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(wait)
    }
  }
}
