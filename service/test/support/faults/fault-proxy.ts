import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

/** A way to PostgreSQL that can be broken, and mended. */
export interface FaultProxy {
  readonly url: string
  /** Breaks every connection, and refuses new ones, as a server that stopped. */
  cut(): void
  /** Swallows everything without a word, as a network that lost the way. */
  silence(): void
  /** Swallows only what is said on connections that listen for notifications. */
  silenceListeners(): void
  /** Lets the next commit through and loses the answer: only the database knows that it happened. */
  loseNextCommit(then?: () => void): void
  /** From now on every answer comes this much later, and up to `jitterMs` more. */
  delay(ms: number, jitterMs?: number): void
  mend(): void
}

/** What ends in a commit: the word itself, or the one statement that is a whole refresh (storage/postgres/refresh.ts). */
const COMMITS = ['commit', '"minute_start"']

interface Way {
  readonly near: Socket
  readonly far: Socket
  listens: boolean
  silent: boolean
}

export async function faultProxy(t: Pick<TestContext, 'after'>, target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target)
  const ways = new Set<Way>()
  let state: 'whole' | 'cut' | 'silent' = 'whole'
  let commitToLose: (() => void) | undefined
  let slowness = { ms: 0, jitterMs: 0 }

  const server = createServer((near) => {
    near.on('error', () => {})
    if (state === 'cut') return void near.destroy()
    const far = connect(Number(port), hostname).on('error', () => {})
    const way: Way = { near, far, listens: false, silent: state === 'silent' }
    ways.add(way)
    near.on('data', (data) => {
      way.listens ||= data.includes('listen gatehouse')
      if (way.silent) return
      far.write(data)
      if (commitToLose !== undefined && COMMITS.some((text) => data.includes(text))) {
        const lost = commitToLose
        commitToLose = undefined
        way.silent = true
        far.once('data', () => {
          lost()
          near.destroy()
        })
      }
    })
    // In order: what was said first is never heard later than what followed.
    let heard = Promise.resolve()
    far.on('data', (data) => {
      if (way.silent) return
      const { ms, jitterMs } = slowness
      const late = ms === 0 ? undefined : sleep(ms + Math.random() * jitterMs, undefined, { ref: false })
      heard = heard.then(() => late).then(() => void (way.silent || near.write(data)))
    })
    near.on('close', () => {
      far.destroy()
      ways.delete(way)
    })
    far.on('close', () => void (way.silent || near.destroy()))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))

  const breakAll = (): void => {
    for (const { near } of ways) near.destroy()
  }
  t.after(() => {
    breakAll()
    server.close()
  })
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cut() {
      state = 'cut'
      breakAll()
    },
    silence() {
      state = 'silent'
      for (const way of ways) way.silent = true
    },
    silenceListeners() {
      for (const way of ways) way.silent ||= way.listens
    },
    loseNextCommit(then = () => {}) {
      commitToLose = then
    },
    delay(ms, jitterMs = 0) {
      slowness = { ms, jitterMs }
    },
    mend() {
      state = 'whole'
      slowness = { ms: 0, jitterMs: 0 }
      for (const { near, silent } of ways) if (silent) near.destroy()
    },
  }
}
