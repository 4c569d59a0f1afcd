import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import {
  type AskedServer,
  choosePrimary,
  confirmByPatroni,
  type PatroniNode,
  type PrimaryChoice,
  relationTo,
} from '../../../domain/lineage.ts'
import type { Warn } from '../../database.ts'
import { Hosts } from './hosts.ts'
import { historyOf } from './lineage.ts'
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
  /** Which one the connections lead to. It may not respond to one more. */
  #used: string | null = null
  /** Of a node of Patroni that can't be read. Once: it is asked every two seconds. */
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
    return hosts.count === 1
      ? 0
      : Math.max(0, performance.now() - this.#provenAt - 3 * timing.askHostsMs)
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

  #ask(): Promise<void> {
    this.#asking ??= this.#askAll()
      .catch((error: unknown) =>
        this.#warn('the primary of PostgreSQL could not be used; trying again', error),
      )
      .finally(() => {
        this.#asking = null
      })
    return this.#asking
  }

  readonly #unknownNode = (error: unknown): null => {
    if (!(error instanceof UnreadableTime) || this.#hasWarned) {
      return null
    }
    this.#hasWarned = true
    this.#warn('a node of Patroni is unknown', error)
    return null
  }

  async #askAll(): Promise<void> {
    const { hosts, lineage, timing } = this.#config
    const askOnce = async () => {
      this.#askedAt = performance.now()
      const patroni = this.#patroniUrls.map((url) =>
        askPatroni(url, timing.askPatroniMs).catch(this.#unknownNode),
      )
      const answers = await Promise.all(hosts.urls.map((url) => this.#askHost(url).catch(asAnswer)))
      const asked = answers.filter((answer) => typeof answer === 'object')
      const choice = choosePrimary(asked, lineage.history)
      if (patroni.length === 0) {
        return { answers, asked, choice }
      }
      const nodes = (await Promise.all(patroni)).filter((node) => node !== null)
      const used = asked.find(({ url }) => url === choice.use)?.server ?? this.#used
      return { answers, asked, choice: confirmByPatroni(choice, used, nodes) }
    }
    // While servers are asked, a connection may start a lineage: what its own server responded before is then a former one.
    const first = await askOnce()
    const { answers, asked, choice } = first.choice.refuse === null ? first : await askOnce()
    this.writable = new Set(
      asked.filter(({ isStandby }) => !isStandby).map(({ server }) => server),
    ).size
    await this.#follow(choice, asked)
    const responses = answers.filter((answer) => answer !== 'silent').length
    if (choice.use !== null && responses > hosts.count / 2) {
      this.#provenAt = this.#askedAt
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
    // Another name of the same server changes nothing.
    if (asked.find(({ url }) => url === hosts.current)?.server !== primary.server) {
      hosts.prefer(primary.url)
    }
    if (known === null || relationTo(known, primary) === 'same') {
      return
    }
    // The first connection to a successor ends the use of all connections to the former primary.
    const client = await new ServerClient({
      ...this.#config,
      hosts: new Hosts([primary.url], this.#warn),
    }).connect()
    await client.end()
  }
}

async function askServer(
  { hosts, lineage, timing, ...config }: ServerConfig,
  url: string,
): Promise<AskedServer> {
  const client = new Client({ ...config, connectionString: url, query_timeout: timing.connectMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const [state] = (await client.query(STATE)).rows
    const [row] = state.migrated ? (await client.query(LINEAGE)).rows : []
    const found = {
      mark: null,
      since_ms: 0,
      ancestors: '',
      ...row?.lineage,
      timeline: row?.timeline ?? 0,
    }
    return { ...historyOf(found), url, server: state.server, isStandby: state.standby }
  } finally {
    client.end().catch(() => {})
  }
}

/** A node that does not hold the leader's lock responds 503, with the same document. */
async function askPatroni(url: string, deadlineMs: number): Promise<PatroniNode> {
  const signal = AbortSignal.timeout(deadlineMs)
  const response = await fetch(new URL('/primary', url), { signal, redirect: 'manual' })
  const { postmaster_start_time: started } = (await response.json()) as {
    postmaster_start_time?: unknown
  }
  return {
    isLeader: response.status === 200,
    server: typeof started === 'string' ? microseconds(started) : null,
  }
}

/** Of a time such as `2026-11-18 06:45:20.93+00:00`, since 1970, as text; of `2026-11-18 06:45:20.930 UTC`, milliseconds. */
function microseconds(time: string): string {
  const [, fraction = ''] = /\.(\d+)/.exec(time) ?? []
  const seconds = Math.floor(Date.parse(time.replace(' ', 'T').replace(/ UTC$/, 'Z')) / 1_000)
  if (Number.isNaN(seconds)) {
    throw new UnreadableTime(`Patroni names no time that this service can read: ${time}`)
  }
  return `${seconds}${time.endsWith(' UTC') ? fraction : fraction.padEnd(6, '0')}`
}

class UnreadableTime extends Error {}

/** An error of the server itself says that it is starting or stopping. */
const asAnswer = (error: unknown): 'not running' | 'silent' =>
  error instanceof DatabaseError || (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
    ? 'not running'
    : 'silent'

/** Two servers don't start in the same microsecond, so the time identifies one. */
const STATE = `select pg_is_in_recovery() as standby,
  (extract(epoch from pg_postmaster_start_time()) * 1000000)::int8::text as server,
  to_regproc('gatehouse_server_v1') is not null as migrated`

/** A standby can't say its timeline; its mark shows what it has replayed. As JSON: an earlier release has no ancestors. */
const LINEAGE = `select (select to_jsonb(l) from lineage l where l.id = 1) as lineage,
  case when pg_is_in_recovery() then 0 else (select timeline from gatehouse_server_v1()) end as timeline`
