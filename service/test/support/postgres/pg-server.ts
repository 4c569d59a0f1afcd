import { join } from 'node:path'
import { freePort } from '../transport/free-port.ts'
import { initializeData, launch, serverFolder } from './pg-process.ts'

/** A PostgreSQL server whose data is deleted when it stops. */
export interface PgServer {
  readonly url: string
  stop(): Promise<void>
  /** Stops it as `pg_ctl stop -m` does, and starts it again with the same data and port. */
  restart(mode: keyof typeof STOP_SIGNALS): Promise<void>
}

/** fast: ends all connections and shuts down cleanly. immediate: like a crash; the next start recovers from the log. */
const STOP_SIGNALS = { fast: 'INT', immediate: 'QUIT' } as const

/** `settings` (`name=value`) override the defaults of pg-process.ts. `bin`: the programs of another version. */
export async function startPostgres(
  settings: readonly string[] = [],
  bin?: string,
): Promise<PgServer> {
  const folder = await serverFolder()
  const data = join(folder, 'data')
  await initializeData(folder, data, bin)
  const server = {
    folder,
    data,
    port: await freePort(),
    settings,
    ...(bin === undefined ? {} : { bin }),
  }
  let running = await launch(server)
  return {
    url: `postgres://postgres@127.0.0.1:${server.port}/postgres`,
    stop: () => running.stop(),
    async restart(mode) {
      await running.stop(`${STOP_SIGNALS[mode]} keep`)
      running = await launch(server)
    },
  }
}
