import { Client } from 'pg'

const CALLERS = 8
const FOR_MS = 4_000
/** Stands for the statements that follow in the same transaction, so that the row and not the processor is the limit. */
const MORE_WORK = 'select pg_sleep(0.003)'

export interface RealHotRow {
  readonly callers: number
  /** From the statement that counts to the answer of the commit, when nobody else wants the row. */
  readonly holding: readonly number[]
  readonly alonePerSecond: number
  readonly perSecond: number
}

/** Transactions that count in one row, do something else and commit, by several connections that never pause. */
export async function realHotRow(url: string): Promise<RealHotRow> {
  const clients = await Promise.all(Array.from({ length: CALLERS }, () => connected(url)))
  try {
    const holding: number[] = []
    const alone = await counted(clients.slice(0, 1), (held) => holding.push(held))
    const together = await counted(clients, () => {})
    return { callers: CALLERS, holding, alonePerSecond: alone, perSecond: together }
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

async function connected(url: string): Promise<Client> {
  const client = new Client(url)
  await client.connect()
  return client
}

/** As counters.ts writes it. */
const SPEND = `insert into counters (scope, bucket, starts_at, used) values ('tenant:hot', 'lifetime', 0, 1)
  on conflict (scope, bucket, starts_at) do update set used = counters.used + excluded.used returning used`

async function counted(clients: readonly Client[], held: (ms: number) => void): Promise<number> {
  const end = performance.now() + FOR_MS
  let times = 0
  const caller = async (client: Client): Promise<void> => {
    while (performance.now() < end) {
      await client.query('begin')
      const asked = performance.now()
      await client.query({ name: 'spend', text: SPEND })
      await client.query(MORE_WORK)
      await client.query('commit')
      held(performance.now() - asked)
      times += 1
    }
  }
  await Promise.all(clients.map(caller))
  return times / (FOR_MS / 1_000)
}
