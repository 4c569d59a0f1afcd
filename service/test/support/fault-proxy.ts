import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

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
  loseNextCommit(): void
  mend(): void
}

interface Way {
  readonly near: Socket
  readonly far: Socket
  listens: boolean
  silent: boolean
}

export async function faultProxy(t: TestContext, target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target)
  const ways = new Set<Way>()
  let state: 'whole' | 'cut' | 'silent' = 'whole'
  let commitToLose = false

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
      if (commitToLose && data.includes('commit')) {
        commitToLose = false
        way.silent = true
        far.once('data', () => near.destroy())
      }
    })
    far.on('data', (data) => void (way.silent || near.write(data)))
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
    loseNextCommit() {
      commitToLose = true
    },
    mend() {
      state = 'whole'
      for (const { near, silent } of ways) if (silent) near.destroy()
    },
  }
}
