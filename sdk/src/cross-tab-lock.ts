import { type BrowserWindow, otherTabChanges } from './browser-window.ts'
import { randomText } from './random-text.ts'

/** A tab that holds the lock says so again before this has passed. One that is gone is waited for no longer. */
const LEASE_MS = 5_000
const RENEW_MS = 1_000
/** Two tabs may write at the same moment; after this the one that wrote last has it. */
const SETTLE_MS = 50
const LOOK_AGAIN_MS = 250

export type Lock = <T>(work: () => Promise<T>) => Promise<T>

/**
 * One tab at a time. Browsers without `navigator.locks` get a note in `localStorage` instead, which is very likely, but
 * not surely, one tab at a time; the service decides the rest.
 */
export function crossTabLock(window: BrowserWindow, name: string): Lock {
  const { locks } = window.navigator
  return locks === undefined ? storageLock(window, name) : (work) => locks.request(name, work)
}

function storageLock(window: BrowserWindow, key: string): Lock {
  const { localStorage } = window
  const me = randomText(12)

  const holder = (): string | null => {
    const [owner = '', until = ''] = localStorage.getItem(key)?.split(' ') ?? []
    return Number(until) > Date.now() ? owner : null
  }
  const take = (): void => localStorage.setItem(key, `${me} ${Date.now() + LEASE_MS}`)

  async function acquire(): Promise<void> {
    for (;;) {
      if (holder() === null) {
        take()
        await new Promise((done) => setTimeout(done, SETTLE_MS))
        if (holder() === me) return
      }
      await otherTabChanges(window, key, LOOK_AGAIN_MS)
    }
  }

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    await acquire()
    const renewing = setInterval(take, RENEW_MS)
    try {
      return await work()
    } finally {
      clearInterval(renewing)
      if (holder() === me) localStorage.removeItem(key)
    }
  }

  // Callers in this tab stand in line: a note in localStorage cannot tell them apart.
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(() => alone(work))
    last = turn.catch(() => {})
    return turn
  }
}
