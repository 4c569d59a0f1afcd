import type { Kysely } from 'kysely'
import type { Revocation } from '../../domain/revocation/revocation.ts'
import { ALL_TENANTS, type Feed, type FeedOptions } from '../feed.ts'
import { pageOfRevocations } from '../revocations.ts'
import type { Tables } from '../tables.ts'

const LOOK_EVERY_MS = 75

export interface SqliteFeedOptions extends FeedOptions {
  readonly read: Kysely<Tables>
  /** Another number whenever another process has committed. */
  dataVersion(): number
}

/**
 * Several processes on one file: look at the file's version often (a few microseconds), and read the new revocations when
 * it moved (decision 18). SQLite has one writer at a time, so ids appear in order and `id > last` misses nothing.
 */
export function sqliteFeed({ publish, warn, now, read, dataVersion }: SqliteFeedOptions): Feed {
  let last = 0
  let version = 0
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let failing = false

  async function readOn(each: (revocations: Revocation[]) => void): Promise<void> {
    for (;;) {
      const page = await pageOfRevocations(read, { after: last, now: now() })
      last = page.last ?? last
      each(page.revocations)
      if (page.last === null) return
    }
  }

  async function look(): Promise<void> {
    try {
      const seen = dataVersion()
      if (seen === version) return
      // Remembered before reading: a commit in between is read now and looked for once more, never missed.
      version = seen
      const found: Revocation[] = []
      await readOn((revocations) => found.push(...revocations))
      publish({ revocations: found, changedTenants: [ALL_TENANTS] })
      failing = false
    } catch (error) {
      version = -1
      if (!failing) warn('could not read what other processes wrote to SQLite; trying on', error)
      failing = true
    }
  }

  function lookNow(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  return {
    async follow() {
      version = dataVersion()
      await readOn((revocations) => {
        if (revocations.length > 0) publish({ revocations, changedTenants: [] })
      })
      timer = setInterval(() => void lookNow(), LOOK_EVERY_MS).unref()
    },
    // One that is under way may have begun before the commit that matters.
    catchUp: async () => {
      await looking
      await lookNow()
    },
    // The others see the file change.
    wake() {},
    staleForMs: () => 0,
    clockSkewMs: () => 0,
    async close() {
      clearInterval(timer)
      await looking
    },
  }
}
