import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { NUMBERS, type PatroniCluster, until } from './patroni-cluster.ts'

const PAUSE_MS = 40
/** A server that is stopped doesn't answer. */
const ANSWER_MS = 3_000
const DATABASE = 'witness'

/** An acknowledged change, by the clock of this process. Its commit is between both times. */
export interface Change {
  readonly sentAt: number
  readonly ackedAt: number
}

/** An insert at a node. */
export interface Attempt extends Change {
  readonly id: number
  readonly node: number
  /** On which it was committed; null if the server refused it or didn't answer. */
  readonly timeline: number | null
}

/** What one server committed on one timeline, until it stopped or became a standby. */
interface Branch {
  readonly timeline: number
  /** The server refused the attempt before. */
  readonly from: number
  /** The server refused the attempt after. */
  readonly to: number
  /** All that was acknowledged before is in the database: a row that was sent then is there, and PostgreSQL keeps the order. */
  readonly keptUntil: number
  readonly firstAckedAt: number
}

/** What PostgreSQL lost by itself, and which changes of the service that doesn't explain. */
export interface Judgement {
  /** Rows that PostgreSQL acknowledged to the witness. */
  readonly committed: number
  readonly lost: number
  /** Lost changes that PostgreSQL has not lost: a row that was committed after them, at the same server, is there. */
  readonly unexplained: readonly Change[]
  /** How long after the successor accepted writes a former primary acknowledged a lost change, at most; in milliseconds. */
  readonly lateMs: number
}

/**
 * Compares changes that the service acknowledged and that are lost with rows that PostgreSQL acknowledged to the witness. A
 * promoted standby has a prefix of the log of its primary. So a change is lost with its server only if every row that was sent
 * there after the acknowledgement is lost as well.
 */
export function judge(
  lost: readonly Change[],
  attempts: readonly Attempt[],
  kept: ReadonlySet<number>,
): Judgement {
  const branches = NUMBERS.flatMap((n) =>
    branchesOf(attempts.filter(({ node }) => node === n).sort(inOrder), kept),
  )
  const explaining = ({ sentAt, ackedAt }: Change): Branch[] =>
    branches.filter(
      ({ from, to, keptUntil }) => sentAt <= to && ackedAt >= Math.max(from, keptUntil),
    )
  const late = ({ ackedAt }: Change, { timeline }: Branch): number =>
    Math.max(
      0,
      ...branches
        .filter((each) => each.timeline > timeline)
        .map((each) => ackedAt - each.firstAckedAt),
    )
  const committed = attempts.filter(({ timeline }) => timeline !== null)
  return {
    committed: committed.length,
    lost: committed.filter(({ id }) => !kept.has(id)).length,
    unexplained: lost.filter((change) => explaining(change).length === 0),
    lateMs: Math.max(
      0,
      ...lost.map((change) => least(explaining(change).map((branch) => late(change, branch)))),
    ),
  }
}

const least = (values: readonly number[]): number => (values.length === 0 ? 0 : Math.min(...values))
const inOrder = (one: Attempt, two: Attempt): number => one.id - two.id

function branchesOf(attempts: readonly Attempt[], kept: ReadonlySet<number>): Branch[] {
  const timelines = new Set(
    attempts.map(({ timeline }) => timeline).filter((timeline) => timeline !== null),
  )
  return [...timelines].map((timeline) => {
    const of = (each: Attempt): boolean => each.timeline === timeline
    const first = attempts.findIndex(of)
    const last = attempts.findLastIndex(of)
    // A row that was not acknowledged can have been committed.
    const own = attempts.slice(first, last + 2).filter(({ id }) => kept.has(id))
    return {
      timeline,
      from: attempts[first - 1]?.sentAt ?? 0,
      to: attempts[last + 1]?.ackedAt ?? Number.POSITIVE_INFINITY,
      keptUntil: Math.max(0, ...own.map(({ sentAt }) => sentAt)),
      firstAckedAt: attempts[first]?.ackedAt ?? 0,
    }
  })
}

/** Commits rows at the socket of each node that accepts writes, which no fault of the network reaches. */
export class Witness {
  readonly #nodes: PatroniCluster
  #attempts: Attempt[] = []
  #ids = 0
  #running = true

  private constructor(nodes: PatroniCluster) {
    this.#nodes = nodes
    for (const n of NUMBERS) {
      void this.#write(n)
    }
  }

  static async start(nodes: PatroniCluster): Promise<Witness> {
    const primary = await nodes.anyPrimary()
    // In a database of its own: the log of a server has all databases in one order.
    await nodes.sql(primary, `create database ${DATABASE}`, 'postgres')
    await nodes.sql(primary, 'create table kept (id bigint primary key)', DATABASE)
    return new Witness(nodes)
  }

  reset(): void {
    this.#attempts = []
  }

  stop(): void {
    this.#running = false
  }

  /** Of changes that were acknowledged before this call. */
  async judge(lost: readonly Change[]): Promise<Judgement> {
    const since = Date.now()
    return until('a row of the witness at the primary', 60_000, async () => {
      const primary = await this.#nodes.anyPrimary()
      // A row that is acknowledged during the query need not be in its result.
      const askedAt = Date.now()
      const rows = await this.#nodes.sql(primary, 'select id from kept', DATABASE).catch(() => [])
      const kept = new Set(rows.map(({ id }) => Number(id)))
      const attempts = this.#attempts.filter(({ ackedAt }) => ackedAt < askedAt)
      const isRecent = attempts.some(({ id, sentAt }) => sentAt > since && kept.has(id))
      return isRecent ? judge(lost, attempts, kept) : null
    })
  }

  async #write(node: number): Promise<void> {
    let client: Client | null = null
    while (this.#running) {
      const id = ++this.#ids
      const sentAt = Date.now()
      let timeline: number | null = null
      try {
        client ??= await this.#connected(node)
        const { rows } = await client.query(INSERT, [id])
        timeline = Number.parseInt(String(rows[0]?.timeline), 16)
      } catch {
        client?.end().catch(() => {})
        client = null
      }
      this.#attempts.push({ id, node, sentAt, ackedAt: Date.now(), timeline })
      await sleep(timeline === null ? 5 * PAUSE_MS : PAUSE_MS, undefined, { ref: false })
    }
    await client?.end().catch(() => {})
  }

  async #connected(node: number): Promise<Client> {
    const at = { host: this.#nodes.socketOf(node), user: 'postgres', database: DATABASE }
    const client = new Client({
      ...at,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    })
    client.on('error', () => {})
    await client.connect()
    return client
  }
}

const INSERT =
  'insert into kept values ($1) returning left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline'
