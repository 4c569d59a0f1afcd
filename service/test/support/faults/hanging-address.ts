import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** Loopback connects within a millisecond, unless the kernel dropped the SYN. */
const HANGS_AFTER_MS = 500
/** Linux queues two connections for a backlog of one; other systems may queue more. */
const QUEUE_MAX = 32

interface HangingAddress {
  readonly origin: string
  /** Whether a new connection is still connecting after half a second. */
  hangs(): Promise<boolean>
}

/**
 * An address where connecting neither succeeds nor fails, as behind a firewall that drops packets: its listener never
 * accepts, and its backlog is full.
 */
export async function hangingAddress(t: Pick<TestContext, 'after'>): Promise<HangingAddress> {
  const listener = new Worker(new URL('./never-accepting-listener.ts', import.meta.url))
  t.after(() => listener.terminate())
  const [port] = await once(listener, 'message')

  const hangs = async (): Promise<boolean> => {
    // A queued connection stays in the backlog until the listener ends.
    const socket = connect({ host: '127.0.0.1', port })
    t.after(() => socket.destroy())
    const settled = new Promise<false>((resolve) => {
      socket.once('connect', () => resolve(false)).on('error', () => resolve(false))
    })
    return Promise.race([settled, sleep(HANGS_AFTER_MS, true)])
  }

  let queued = 0
  while (!(await hangs())) {
    assert.ok(++queued < QUEUE_MAX, 'the backlog never fills: nothing would hang here')
  }
  return { origin: `http://127.0.0.1:${port}`, hangs }
}
