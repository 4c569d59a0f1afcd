import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { readNotices } from '../../service/src/storage/feed-reading.ts'
import { openStorage, type Storage } from '../../service/src/storage/open.ts'
import { postgresTypes } from '../../service/src/storage/postgres-types.ts'
import { Random } from './random.ts'

const NOTICES = 400
const PER_SECOND = 40
const SAMPLE_EVERY_MS = 20
const BULK = 50_000

export interface RealFeed {
  readonly staleness: readonly number[]
  readonly roundTrips: readonly number[]
  readonly transactions: readonly number[]
  readonly noticesPerSecond: number
  readonly rowWireBytes: number
  readonly rowDiskBytes: number
}

/** Two instances on one PostgreSQL: one ends sessions, the other hears of it. */
export async function realFeed(url: string): Promise<RealFeed> {
  const committed = new Map<number, number>()
  const heard = new Map<number, number>()
  const [first, second] = await Promise.all([following(url, committed), following(url, heard)])
  try {
    const social = first.stores
    const now = Date.now()
    const resource = await social.resources.provision('real-feed', ['https://app.example.com/callback'], now)
    const ids: number[] = []
    for (let index = 0; index < NOTICES; index++) {
      const far = now + 1e9
      const session = { userId: 1, salt: new Uint8Array(12), generation: 1, createdAt: now, rotatedAt: now }
      const rest = { expiresAt: far, absoluteExpiresAt: far, fingerprint: null, idempotencyHash: null }
      ids.push((await social.sessions.start(resource, { ...session, ...rest })).id)
    }
    const roundTrips: number[] = []
    const measuring = new AbortController()
    // Meanwhile, because a machine with something to do is slower than one without.
    const measured = measureRoundTrips(url, roundTrips, measuring.signal)
    const random = new Random(1)
    const transactions: number[] = []
    const began = performance.now()
    const ending: Promise<unknown>[] = []
    for (const id of ids) {
      await sleep(random.exponential(1_000 / PER_SECOND))
      const asked = performance.now()
      ending.push(
        social.sessions.end(resource, id, Date.now()).then(() => transactions.push(performance.now() - asked)),
      )
    }
    await Promise.all(ending)
    const tookS = (performance.now() - began) / 1_000
    measuring.abort()
    await measured
    while (heard.size < NOTICES) await sleep(20)
    const staleness = ids.map((id) => (heard.get(id) ?? Number.NaN) - (committed.get(id) ?? Number.NaN))
    return { staleness, roundTrips, transactions, noticesPerSecond: NOTICES / tookS, ...(await sizeOf(url)) }
  } finally {
    await first.close()
    await second.close()
  }
}

/** An instance that writes down when it came to know of each session's end. */
async function following(url: string, known: Map<number, number>): Promise<Storage> {
  const storage = await openStorage({
    home: { engine: 'postgres', url },
    warn: () => {},
    announce({ notices }) {
      for (const notice of notices) {
        if (notice.kind === 'session' && !known.has(notice.sessionId)) known.set(notice.sessionId, performance.now())
      }
    },
  })
  await storage.follow()
  return storage
}

/** Looks that find next to nothing, on a connection like the one that listens. */
async function measureRoundTrips(url: string, trips: number[], signal: AbortSignal): Promise<void> {
  const client = new Client({ connectionString: url, types: postgresTypes })
  await client.connect()
  for (let { xmin } = await readNotices(client, 0n, Date.now()); !signal.aborted; await sleep(SAMPLE_EVERY_MS)) {
    const asked = performance.now()
    xmin = (await readNotices(client, xmin, Date.now())).xmin
    trips.push(performance.now() - asked)
  }
  await client.end()
}

async function sizeOf(url: string): Promise<{ rowWireBytes: number; rowDiskBytes: number }> {
  const client = new Client({ connectionString: url, types: postgresTypes })
  await client.connect()
  const until = Date.now() + 3_600_000
  await client.query('truncate notices')
  await client.query(`insert into notices (kind, tenant_id, subject_id, generation, until_ms)
    select 'session', 'swift-fox-running-k3qd7', 1000000 + id, 3, ${until} from generate_series(1, ${BULK}) as series(id)`)
  const { rows } = await client.query<{ bytes: number }>("select pg_total_relation_size('notices') as bytes")
  const socket = (client as unknown as { connection: { stream: { bytesRead: number } } }).connection.stream
  const before = socket.bytesRead
  const { notices } = await readNotices(client, 0n, Date.now())
  const rowWireBytes = (socket.bytesRead - before) / notices.length
  await client.end()
  return { rowWireBytes, rowDiskBytes: (rows[0]?.bytes ?? 0) / BULK }
}
