import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { keyHashes, mintKeyPair } from '../../service/src/operations/tenants/tenant-key-pair.ts'
import type { Subject } from './subject.ts'
import type { Seen } from './users-list-reader.ts'

const SAMPLE_MS = 5
const MB = 1_048_576

export interface UsersList {
  readonly size: number
  readonly users: number
  readonly megabytes: number
  readonly firstByteMs: number
  readonly totalMs: number
  readonly rssGrowthMb: number
  /** How long everybody else waited at the worst. */
  readonly longestStallMs: number
}

/** The whole list of the large tenant, over HTTP, read as fast as it can be by a process of its own. */
export async function readUsersList(subject: Subject): Promise<UsersList> {
  const reader = fork(fileURLToPath(new URL('users-list-reader.ts', import.meta.url)))
  try {
    return await readWith(reader, subject)
  } finally {
    reader.kill()
  }
}

async function readWith(reader: ChildProcess, subject: Subject): Promise<UsersList> {
  const { server, ctx } = subject.app
  if (!server.listening) await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const keys = mintKeyPair(ctx)
  await ctx.stores.ownership.replaceKeys(subject.large.id, keyHashes(ctx, keys), ctx.now(), ctx.now())
  const { port } = server.address() as AddressInfo
  const read = async (): Promise<Seen> => {
    reader.send({ url: `http://127.0.0.1:${port}/api/social-login/users`, key: keys.managementKey })
    const [seen] = await once(reader, 'message')
    return seen as Seen
  }
  // Once to warm up, also in the other process.
  await read()

  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let highest = before
  const sampling = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss())
  }, SAMPLE_MS)
  const stallDetector = monitorEventLoopDelay({ resolution: 1 })
  stallDetector.enable()
  const { users, bytes, firstByteMs, totalMs } = await read()
  stallDetector.disable()
  clearInterval(sampling)
  return {
    size: subject.population.size,
    users,
    megabytes: bytes / MB,
    firstByteMs,
    totalMs,
    rssGrowthMb: (highest - before) / MB,
    longestStallMs: stallDetector.max / 1e6,
  }
}
