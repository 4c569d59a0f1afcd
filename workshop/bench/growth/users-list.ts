import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { keyHashes, mintKeyPair } from '../../../service/src/operations/tenants/keys.ts'
import type { SizedService } from './sized-service.ts'
import type { ListMeasurement } from './users-list-reader.ts'

const SAMPLE_MS = 5
const MB = 1_048_576

export interface UsersList {
  readonly size: number
  readonly users: number
  readonly megabytes: number
  readonly firstByteMs: number
  readonly totalMs: number
  readonly rssGrowthMb: number
  /** The longest event-loop delay, which blocks all other requests. */
  readonly longestStallMs: number
}

/** Streams the users of the large tenant over HTTP to a separate process. */
export async function readUsersList(service: SizedService): Promise<UsersList> {
  const reader = fork(fileURLToPath(new URL('users-list-reader.ts', import.meta.url)))
  try {
    return await readWith(reader, service)
  } finally {
    reader.kill()
  }
}

async function readWith(reader: ChildProcess, service: SizedService): Promise<UsersList> {
  const { server, ctx } = service.app
  if (!server.listening) {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  }
  const keys = mintKeyPair(ctx)
  await ctx.stores.ownership.replaceKeys(
    service.large.id,
    keyHashes(ctx, keys),
    ctx.now(),
    ctx.now(),
  )
  const { port } = server.address() as AddressInfo
  const read = async (): Promise<ListMeasurement> => {
    reader.send({ url: `http://127.0.0.1:${port}/api/social-login/users`, key: keys.managementKey })
    const [measurement] = await once(reader, 'message')
    return measurement as ListMeasurement
  }
  // Warm up both processes.
  await read()

  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let highest = before
  const sampling = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss())
  }, SAMPLE_MS)
  const loopDelay = monitorEventLoopDelay({ resolution: 1 })
  loopDelay.enable()
  const { users, bytes, firstByteMs, totalMs } = await read()
  loopDelay.disable()
  clearInterval(sampling)
  return {
    size: service.population.size,
    users,
    megabytes: bytes / MB,
    firstByteMs,
    totalMs,
    rssGrowthMb: (highest - before) / MB,
    longestStallMs: loopDelay.max / 1e6,
  }
}
