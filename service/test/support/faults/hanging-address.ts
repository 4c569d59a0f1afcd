import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** On this machine a connection takes less than a millisecond, or it waits for a packet that was dropped. */
const HANGS_AFTER_MS = 500
/** Linux queues two connections for a backlog of one; elsewhere it may be some more. */
const QUEUE_MAX = 32

export interface HangingAddress {
  readonly origin: string
  /** Whether somebody who connects now is still connecting half a second later. */
  hangs(): Promise<boolean>
}

/**
 * Where connecting neither succeeds nor fails, as behind a firewall that drops packets: somebody listens and never
 * accepts, and the queue is full.
 */
export async function hangingAddress(t: Pick<TestContext, 'after'>): Promise<HangingAddress> {
  const listener = new Worker(new URL('./never-accepts.ts', import.meta.url))
  t.after(() => listener.terminate())
  const [port] = await once(listener, 'message')

  const hangs = async (): Promise<boolean> => {
    // Whoever found room in the queue stays in it, until the listener ends and cuts them off.
    const socket = connect({ host: '127.0.0.1', port })
    t.after(() => socket.destroy())
    const answered = new Promise<false>((resolve) => {
      socket.once('connect', () => resolve(false)).on('error', () => resolve(false))
    })
    return Promise.race([answered, sleep(HANGS_AFTER_MS, true)])
  }

  let queued = 0
  while (!(await hangs())) assert.ok(++queued < QUEUE_MAX, 'there is room for everybody: nothing would hang here')
  return { origin: `http://127.0.0.1:${port}`, hangs }
}
