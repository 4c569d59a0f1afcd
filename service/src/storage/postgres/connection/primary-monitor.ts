import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import {
  type AskedServer,
  choosePrimary,
  confirmByPatroni,
  type DatabaseHistory,
  type PatroniNode,
  type PrimaryChoice,
  relationTo,
} from '../../../domain/lineage.ts'
import type { Warn } from '../../database.ts'
import { Hosts } from './hosts.ts'
import { type FenceRow, historyOf } from './lineage.ts'
import { ServerClient, type ServerConfig } from './server-client.ts'

/**
 * Finds the primary among several hosts (decision 49): asks all of them at the start, before new connections and every few
 * seconds, each on a connection of its own. A former primary may still accept writes, so the first host that does may be it.
 */
export class PrimaryMonitor {
  readonly #config: ServerConfig
  readonly #warn: Warn
  readonly #patroniUrls: readonly string[]
  readonly #askHost: (url: string) => Promise<AskedServer>
  #asking: Promise<void> | null = null
  #askedAt = 0
  #provenAt = performance.now()
  #timer: NodeJS.Timeout | undefined
  /** The server that the connections lead to. It may not respond to one more. */
  #used: string | null = null
  /** A node of Patroni could not be read. Warns once, because each node is asked every two seconds. */
  #hasWarned = false
  /** Servers that accepted writes when they were asked last, a former primary included. */
  writable = 1

  constructor(
    config: ServerConfig,
    warn: Warn,
    patroniUrls: readonly string[] = [],
    askHost = askServer,
  ) {
    this.#config = config
    this.#warn = warn
    this.#patroniUrls = patroniUrls
    this.#askHost = (url) => askHost(config, url)
  }

  /**
   * How long ago most hosts responded and one was the primary, counted from the third time on that this failed. A refused
   * connection is a response. 0 with one host: what leads there knows the primary.
   */
  unprovenForMs(): number {
    const { hosts, timing } = this.#config
    if (hosts.count === 1) {
      return 0
    }
    const tolerated = 3 * timing.askHostsMs
    return Math.max(0, performance.now() - this.#provenAt - tolerated)
  }

  async start(): Promise<void> {
    const { hosts, timing } = this.#config
    if (hosts.count === 1) {
      return
    }
    hosts.beforeConnect = async () => {
      if (performance.now() - this.#askedAt < timing.askHostsMs / 2) {
        return
      }
      // A host that doesn't respond must not delay every new connection.
      await Promise.race([this.#ask(), sleep(timing.askHostsWaitMs, undefined, { ref: false })])
    }
    await this.#ask()
    this.#timer = setInterval(() => void this.#ask(), timing.askHostsMs).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#asking
  }

  /** Concurrent calls share one round. Never rejects. */
  #ask(): Promise<void> {
    this.#asking ??= this.#askAndFollow().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #askAndFollow(): Promise<void> {
    try {
      const round = await this.#askUntilAgreed()
      const primaries = round.asked.filter(({ isStandby }) => !isStandby)
      this.writable = new Set(primaries.map(({ server }) => server)).size
      await this.#follow(round.choice, round.asked)

      const isMajority = round.responses > this.#config.hosts.count / 2
      if (round.choice.use !== null && isMajority) {
        this.#provenAt = this.#askedAt
      }
    } catch (error) {
      this.#warn('the primary of PostgreSQL could not be used; trying again', error)
    }
  }

  /**
   * Asks once more if the servers disagree: while they are asked, a connection may start a lineage, and what its own server
   * responded before is then a former one.
   */
  async #askUntilAgreed(): Promise<Round> {
    const first = await this.#askAll()
    return first.choice.refuse === null ? first : this.#askAll()
  }

  async #askAll(): Promise<Round> {
    const { hosts, lineage } = this.#config
    this.#askedAt = performance.now()
    const patroni = this.#patroniUrls.map((url) => this.#askNode(url))
    const answers = await Promise.all(hosts.urls.map((url) => this.#askOrFail(url)))
    const asked = answers.filter((answer) => typeof answer === 'object')
    const responses = answers.filter((answer) => answer !== 'silent').length
    const choice = choosePrimary(asked, lineage.history)
    if (patroni.length === 0) {
      return { asked, responses, choice }
    }

    const answered = await Promise.all(patroni)
    const nodes = answered.filter((node) => node !== null)
    const used = asked.find(({ url }) => url === choice.use)?.server ?? this.#used
    return { asked, responses, choice: confirmByPatroni(choice, used, nodes) }
  }

  async #askOrFail(url: string): Promise<AskedServer | 'not running' | 'silent'> {
    try {
      return await this.#askHost(url)
    } catch (error) {
      return isResponse(error) ? 'not running' : 'silent'
    }
  }

  /** null: the node is unknown. */
  async #askNode(url: string): Promise<PatroniNode | null> {
    try {
      return await askPatroni(url, this.#config.timing.askPatroniMs)
    } catch (error) {
      if (error instanceof UnreadableTime && !this.#hasWarned) {
        this.#hasWarned = true
        this.#warn('a node of Patroni is unknown', error)
      }
      return null
    }
  }

  async #follow({ use, refuse }: PrimaryChoice, asked: readonly AskedServer[]): Promise<void> {
    const { hosts, lineage } = this.#config
    const known = lineage.history
    lineage.refuse(refuse)

    const primary = asked.find(({ url }) => url === use)
    if (primary === undefined) {
      return
    }
    this.#used = primary.server
    const current = asked.find(({ url }) => url === hosts.current)
    // Another name of the same server changes nothing.
    if (current?.server !== primary.server) {
      hosts.prefer(primary.url)
    }
    if (known === null || relationTo(known, primary) === 'same') {
      return
    }

    // The first connection to a successor ends the use of all connections to the former primary.
    const onlyPrimary = new Hosts([primary.url], this.#warn)
    const client = new ServerClient({ ...this.#config, hosts: onlyPrimary })
    await client.connect()
    await client.end()
  }
}

/** What the servers responded when all of them were asked. */
interface Round {
  readonly asked: readonly AskedServer[]
  /** A refused connection is a response. */
  readonly responses: number
  readonly choice: PrimaryChoice
}

async function askServer(
  { hosts, lineage, timing, ...config }: ServerConfig,
  url: string,
): Promise<AskedServer> {
  const client = new Client({ ...config, connectionString: url, query_timeout: timing.connectMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const [state] = (await client.query<State>(STATE)).rows
    if (state === undefined) {
      throw new Error('PostgreSQL returned no state')
    }
    const history = state.migrated ? await askHistory(client) : historyOf(NO_LINEAGE)
    return { ...history, url, server: state.server, isStandby: state.standby }
  } finally {
    client.end().catch(() => {})
  }
}

const NO_LINEAGE = { mark: null, since_ms: 0, ancestors: '', timeline: 0 }

async function askHistory(client: Client): Promise<DatabaseHistory> {
  const [row] = (await client.query<LineageAnswer>(LINEAGE)).rows
  return historyOf({ ...NO_LINEAGE, ...row?.lineage, timeline: row?.timeline ?? 0 })
}

/** A node that does not hold the leader's lock responds 503, with the same document. */
async function askPatroni(url: string, deadlineMs: number): Promise<PatroniNode> {
  const response = await fetch(new URL('/primary', url), {
    signal: AbortSignal.timeout(deadlineMs),
    redirect: 'manual',
  })
  const node = (await response.json()) as { readonly postmaster_start_time?: unknown }
  const started = node.postmaster_start_time
  return {
    isLeader: response.status === 200,
    server: typeof started === 'string' ? epochDigits(started) : null,
  }
}

/**
 * The time since 1970 as a number without a point, to compare it with `server` of STATE. In microseconds if Patroni writes an
 * offset, as in `2026-11-18 06:45:20.93+00:00`; in milliseconds if it writes `2026-11-18 06:45:20.930 UTC`.
 */
function epochDigits(time: string): string {
  const isUtcText = time.endsWith(' UTC')
  const iso = time.replace(' ', 'T').replace(/ UTC$/, 'Z')
  const seconds = Math.floor(Date.parse(iso) / 1_000)
  if (Number.isNaN(seconds)) {
    throw new UnreadableTime(`Patroni names no time that this service can read: ${time}`)
  }
  const [, fraction = ''] = /\.(\d+)/.exec(time) ?? []
  return `${seconds}${isUtcText ? fraction : fraction.padEnd(6, '0')}`
}

class UnreadableTime extends Error {}

/** An error of the server itself says that it is starting or stopping. */
const isResponse = (error: unknown): boolean =>
  error instanceof DatabaseError || (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'

interface State {
  readonly standby: boolean
  readonly server: string
  readonly migrated: boolean
}

/** Two servers don't start in the same microsecond, so the time identifies one. */
const STATE = `select pg_is_in_recovery() as standby,
  (extract(epoch from pg_postmaster_start_time()) * 1000000)::int8::text as server,
  to_regproc('gatehouse_server_v1') is not null as migrated`

interface LineageAnswer {
  readonly lineage: Partial<Pick<FenceRow, 'mark' | 'since_ms' | 'ancestors'>> | null
  readonly timeline: number
}

/** A standby can't say its timeline; its mark shows what it has replayed. As JSON: an earlier release has no ancestors. */
const LINEAGE = `select (select to_jsonb(l) from lineage l where l.id = 1) as lineage,
  case when pg_is_in_recovery() then 0 else (select timeline from gatehouse_server_v1()) end as timeline`
