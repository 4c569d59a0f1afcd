import { randomBase64Url } from '../base64url.ts'
import { type BrowserWindow, waitForOtherTab } from './browser-window.ts'

/** The tab that holds the lock renews its lease every second; the lease of a closed tab expires after this. */
const LEASE_MS = 5_000
const RENEW_MS = 1_000
/** Two tabs may write concurrently. After this delay the tab whose write survived holds the lock. */
const SETTLE_MS = 50
const POLL_MS = 250

export type Lock = <T>(work: () => Promise<T>) => Promise<T>

/**
 * A mutex between tabs. Browsers without `navigator.locks` use a lease in `localStorage`, which is best effort: two tabs
 * can rarely both hold it, and then the service rejects one of the two refreshes as superseded.
 */
export function crossTabLock(window: BrowserWindow, name: string): Lock {
  const { locks } = window.navigator
  return locks === undefined ? storageLock(window, name) : (work) => locks.request(name, work)
}

function storageLock(window: BrowserWindow, key: string): Lock {
  const { localStorage } = window
  const tabId = randomBase64Url(12)

  const holder = (): string | null => {
    const [owner = '', until = ''] = localStorage.getItem(key)?.split(' ') ?? []
    return Number(until) > Date.now() ? owner : null
  }
  const writeLease = (): void => localStorage.setItem(key, `${tabId} ${Date.now() + LEASE_MS}`)

  async function acquire(): Promise<void> {
    for (;;) {
      if (holder() === null) {
        writeLease()
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
        if (holder() === tabId) return
      }
      await waitForOtherTab(window, key, POLL_MS)
    }
  }

  async function withLease<T>(work: () => Promise<T>): Promise<T> {
    await acquire()
    const renewal = setInterval(writeLease, RENEW_MS)
    try {
      return await work()
    } finally {
      clearInterval(renewal)
      if (holder() === tabId) localStorage.removeItem(key)
    }
  }

  // Calls in this tab run one after another: the lease identifies the tab, not the call.
  let previous: Promise<unknown> = Promise.resolve()
  return (work) => {
    const current = previous.then(() => withLease(work))
    previous = current.catch(() => {})
    return current
  }
}
