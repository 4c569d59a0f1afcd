import type { Kysely } from 'kysely'
import type { Revocation } from '../../domain/revocation/revocation.ts'
import { ALL_TENANTS, type Feed, type FeedOptions } from '../feed.ts'
import { pageOfRevocations } from '../revocations.ts'
import type { Tables } from '../tables/tables.ts'

interface SqliteFeedOptions extends FeedOptions {
  readonly read: Kysely<Tables>
  /** Changes whenever another process has committed. */
  dataVersion(): number
  readonly pollMs: number
}

/** No data version equals it, so the next poll reads. */
const UNKNOWN_VERSION = -1

/**
 * Publishes every revocation that another process commits to the same file, within about 75 ms. Each poll reads the file's
 * data version, which takes microseconds, and reads new rows only if it has changed (decision 18). SQLite has one writer at
 * a time, so ids become visible in order and `id > last` misses none.
 */
export function sqliteFeed({
  publish,
  warn,
  now,
  read,
  dataVersion,
  pollMs,
}: SqliteFeedOptions): Feed {
  /** The id of the last revocation that was read. */
  let last = 0
  let version = 0
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let failing = false

  async function readNew(each: (revocations: Revocation[]) => void): Promise<void> {
    for (;;) {
      const page = await pageOfRevocations(read, { after: last, now: now() })
      last = page.last ?? last
      each(page.revocations)
      if (page.last === null) {
        return
      }
    }
  }

  async function pollOnce(): Promise<void> {
    try {
      const current = dataVersion()
      if (current === version) {
        return
      }
      // Stored before reading: a commit in between is read now or at the next poll, never missed.
      version = current
      const found: Revocation[] = []
      await readNew((revocations) => found.push(...revocations))
      publish({ revocations: found, changedTenants: [ALL_TENANTS], deliverable: [] })
      failing = false
    } catch (error) {
      version = UNKNOWN_VERSION
      if (!failing) {
        warn('cannot read revocations from SQLite; retrying', error)
      }
      failing = true
    }
  }

  function poll(): Promise<void> {
    polling ??= pollOnce().finally(() => {
      polling = undefined
    })
    return polling
  }

  return {
    async follow() {
      version = dataVersion()
      await readNew((revocations) => {
        if (revocations.length > 0) {
          publish({ revocations, changedTenants: [], deliverable: [] })
        }
      })
      timer = setInterval(() => void poll(), pollMs).unref()
    },
    async catchUp() {
      // A running poll may have begun before the commit that the caller waits for.
      await polling
      await poll()
    },
    // Other processes see the data version change.
    wake() {},
    staleForMs: () => 0,
    clockSkewMs: () => 0,
    async close() {
      clearInterval(timer)
      await polling
    },
  }
}
