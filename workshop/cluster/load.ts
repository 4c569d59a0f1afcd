import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiResponse, Pair, Tenant } from '../../service/test/support/actors/agent.ts'
import { Browser } from '../../service/test/support/actors/browser.ts'
import type { Cluster, Instance } from '../../service/test/support/faults/cluster.ts'
import { providerCallback } from '../../service/test/support/faults/scripted-provider.ts'
import type { Transport } from '../../service/test/support/transport/http-transport.ts'
import type { Contents } from './patroni-cluster.ts'
import type { Change } from './witness.ts'

/** Each user has one request in flight and then pauses, which bounds the load. */
const USERS = 10
/** One for each user, whose load then stays below the limit of an app's minute, and one for the probes of verify. */
export const APPS = USERS + 1
const PAUSE_MS = 60
const PROBE_MS = 100
/** A revocation reaches every instance within two seconds; the rest is for a busy machine. */
const STALE_AFTER_MS = 4_000

/** What was acknowledged to the app about one session. */
interface Session {
  readonly app: Tenant
  readonly email: string
  readonly access: string[]
  refresh: string
  key: string
  ended: boolean
  /** A change of it was found to be lost: an asynchronous failover may do that. */
  lost: boolean
  readonly changes: Change[]
}

interface User {
  readonly app: Tenant
  readonly at: Instance
  session: Session | null
  /** A refresh or logout without a definite response. It is repeated. */
  inDoubt: 'refresh' | 'logout' | null
  /** When it was sent first. */
  inDoubtSince: number
}

export interface Checked {
  /** Of each session that is not as acknowledged, the first change that must have been lost. */
  readonly lost: readonly Change[]
  readonly doubled: number
  readonly stale: number
  readonly tokens: number
}

/** Users who sign in, verify, refresh and sign out, each at one instance, and a ledger of what was acknowledged. */
export class Load {
  readonly #cluster: Cluster
  readonly #users: User[]
  readonly #ledger: Session[] = []
  readonly #ids = new Map<string, string>()
  readonly #successors = new Map<string, string>()
  #lost: Session[] = []
  #doubled = 0
  #paused = true
  #running = true
  #busy = 0
  readonly #prober: User
  #probe: Session | null = null
  /** When each instance acknowledged a change, and a verify. */
  writes: number[][] = []
  verifies: number[][] = []
  errors = new Map<string, number>()
  problems: string[] = []
  acknowledged = 0

  constructor(cluster: Cluster, apps: readonly Tenant[]) {
    this.#cluster = cluster
    const { instances } = cluster
    this.#users = Array.from({ length: USERS }, (_, n) => ({
      app: at(apps, n),
      at: at(instances, n),
      session: null,
      inDoubt: null,
      inDoubtSince: 0,
    }))
    this.#prober = {
      app: at(apps, USERS),
      at: at(instances, 0),
      session: null,
      inDoubt: null,
      inDoubtSince: 0,
    }
    this.reset()
    for (const user of this.#users) {
      void this.#repeat(() => this.#act(user), PAUSE_MS)
    }
    for (const instance of instances) {
      void this.#repeat(() => this.#verifyProbe(instance), PROBE_MS)
    }
  }

  reset(): void {
    this.writes = this.#cluster.instances.map(() => [])
    this.verifies = this.#cluster.instances.map(() => [])
    this.errors = new Map()
    this.problems = []
  }

  /** With a new session that only the probes of verify use. Without one, the whole event would count as time without verify. */
  async start(): Promise<void> {
    this.#probe = null
    for (const deadline = performance.now() + 60_000; this.#probe === null; await sleep(500)) {
      if (performance.now() > deadline) {
        throw new Error('the user of the probes could not sign in within 60 s')
      }
      this.#probe = await this.#signIn(this.#prober).catch(() => null)
    }
    this.errors = new Map()
    await sleep(1_500)
    this.#paused = false
  }

  async pause(): Promise<void> {
    this.#paused = true
    for (
      const deadline = performance.now() + 40_000;
      this.#busy > 0 && performance.now() < deadline;
    ) {
      await sleep(50)
    }
    for (const user of this.#users) {
      for (const deadline = performance.now() + 30_000; user.inDoubt !== null; await sleep(200)) {
        if (performance.now() > deadline) {
          return void this.problems.push('a change is still in doubt after 30 s')
        }
        await this.#act(user).catch(() => {})
      }
    }
  }

  stop(): void {
    this.#running = false
  }

  /** The users whose sign-in was acknowledged. */
  emails(): string[] {
    return this.#ledger.map(({ email }) => email)
  }

  /** The ids of an app's users. */
  ids(app: Tenant): number[] {
    const own = [...this.#ids.keys()].map((key) => key.split(' '))
    return own.filter(([tenant]) => tenant === app.id).map(([, id]) => Number(id))
  }

  get isWriting(): boolean {
    return this.writes.every((times) => (times.at(-1) ?? 0) > Date.now() - 1_500)
  }

  async #repeat(act: () => Promise<void>, pauseMs: number): Promise<void> {
    while (this.#running) {
      await sleep(pauseMs * (0.5 + Math.random()), undefined, { ref: false })
      if (this.#paused) {
        continue
      }
      this.#busy += 1
      await act().catch((error: unknown) =>
        this.#error(String((error as NodeJS.ErrnoException).code ?? error)),
      )
      this.#busy -= 1
    }
  }

  async #act(user: User): Promise<void> {
    const { session } = user
    if (session?.lost) {
      Object.assign(user, { session: null, inDoubt: null })
    } else if (user.inDoubt === 'logout') {
      await this.#logout(user, session)
    } else if (user.inDoubt === 'refresh') {
      await this.#refresh(user, session)
    } else if (session === null) {
      user.session = await this.#signIn(user)
    } else if (Math.random() < 0.1) {
      await this.#logout(user, session)
    } else {
      await this.#refresh(user, session)
    }
  }

  async #signIn({ app, at }: User): Promise<Session | null> {
    const email = `${randomBytes(6).toString('hex')}@example.com`
    const sentAt = Date.now()
    const pair = await signInAt(this.#cluster, at, app, email)
    if (!('access_token' in pair)) {
      this.#error(`sign-in ${pair.status}`)
      return null
    }
    const session: Session = {
      app,
      email,
      access: [],
      refresh: '',
      key: newKey(),
      ended: false,
      lost: false,
      changes: [],
    }
    this.#ledger.push(session)
    this.#acknowledge(session, at, pair, sentAt)
    const { id } = claimsOf(pair.access_token)
    const known = this.#ids.get(`${app.id} ${id}`)
    if (known !== undefined && known !== email) {
      this.#doubled += 1
    }
    this.#ids.set(`${app.id} ${id}`, email)
    return session
  }

  async #refresh(user: User, session: Session | null): Promise<void> {
    if (session === null) {
      return
    }
    begin(user, 'refresh')
    const spent = session.refresh
    const response = await user.app
      .at(user.at.agent)
      .edge('refresh', { refresh_token: spent }, { 'Idempotency-Key': session.key })
    if (isRetryable(response)) {
      return this.#error(`refresh ${response.status}`)
    }
    user.inDoubt = null
    if (response.status !== 200) {
      this.#error(`refresh ${response.status} ${response.json?.error?.code}`)
      return this.#lose(session)
    }
    const next: Pair = response.json
    const known = this.#successors.get(spent)
    if (known !== undefined && known !== next.refresh_token) {
      this.#doubled += 1
    }
    this.#successors.set(spent, next.refresh_token)
    session.key = newKey()
    this.#acknowledge(session, user.at, next, user.inDoubtSince)
  }

  async #logout(user: User, session: Session | null): Promise<void> {
    if (session === null) {
      return
    }
    begin(user, 'logout')
    const response = await user.app
      .at(user.at.agent)
      .edge('logout', { refresh_token: session.refresh })
    if (response.status !== 200) {
      return this.#error(`logout ${response.status}`)
    }
    user.inDoubt = null
    user.session = null
    session.ended = true
    this.#acknowledge(session, user.at, null, user.inDoubtSince)
  }

  #lose(session: Session): void {
    if (!session.lost) {
      this.#lost.push(session)
    }
    session.lost = true
  }

  #acknowledge(session: Session, by: Instance, pair: Pair | null, sentAt: number): void {
    const ackedAt = Date.now()
    session.changes.push({ sentAt, ackedAt })
    if (pair !== null) {
      session.access.push(pair.access_token)
      session.refresh = pair.refresh_token
    }
    this.writes[this.#cluster.instances.indexOf(by)]?.push(ackedAt)
    this.acknowledged += 1
  }

  async #verifyProbe(instance: Instance): Promise<void> {
    const probe = this.#probe
    if (probe === null || !instance.alive) {
      return
    }
    const valid = await verify(instance, probe.app, at(probe.access, -1))
    if (typeof valid === 'number') {
      this.#error(`verify ${valid}`)
    } else if (valid) {
      this.verifies[this.#cluster.instances.indexOf(instance)]?.push(Date.now())
    } else {
      this.problems.push('a valid token was called invalid')
    }
  }

  #error(what: string): void {
    this.errors.set(what, (this.errors.get(what) ?? 0) + 1)
  }

  /**
   * Compares every session with the database of the primary, and those that changed since then with every instance: the last
   * access token is valid, and all earlier ones are not.
   */
  async check(since: number, { emails, sessions }: Contents): Promise<Checked> {
    await sleep(STALE_AFTER_MS)
    const known = this.#ledger.filter(({ lost }) => !lost)
    for (const session of known) {
      const { sid, gen } = claimsOf(at(session.access, -1))
      const found = sessions.get(sid) ?? 0
      if (!emails.has(session.email) || (session.ended ? found > 0 : found < gen)) {
        this.#lose(session)
      }
    }
    let stale = 0
    let tokens = 0
    const changed = known.filter(({ changes }) => at(changes, -1).ackedAt >= since)
    const jobs = this.#cluster.instances.flatMap((instance) =>
      changed.flatMap((session) =>
        session.access.slice(-20).map((token) => ({ instance, session, token })),
      ),
    )
    const work = async (): Promise<void> => {
      for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
        const { instance, session, token } = job
        const expected = !session.ended && token === session.access.at(-1)
        const valid = await verify(instance, session.app, token).catch(() => 0)
        tokens += 1
        if (typeof valid === 'number') {
          this.#error(`check ${valid}`)
        } else if (valid && (!expected || !emails.has(session.email))) {
          stale += 1
        } else if (!valid && expected) {
          this.#lose(session)
        }
      }
    }
    await Promise.all(Array.from({ length: 8 }, work))
    // Of a user who is missing the sign-in is lost; of all others at least the last change.
    const lost = this.#lost.map(({ email, changes }) => at(changes, emails.has(email) ? -1 : 0))
    const doubled = this.#doubled
    this.#doubled = 0
    this.#lost = []
    return { lost, doubled, stale, tokens }
  }
}

/** The longest time in seconds without one of these moments. */
export function longestGap(times: readonly number[], since: number, until: number): number {
  let last = since
  let longest = 0
  for (const time of [...times.filter((time) => time >= since && time <= until), until]) {
    longest = Math.max(longest, time - last)
    last = time
  }
  return Math.round(longest / 100) / 10
}

export async function verify(
  { agent }: Instance,
  app: Tenant,
  access_token: string,
): Promise<boolean | number> {
  const response = await app.at(agent).edge('verify', { access_token })
  return response.status === 200 ? response.json.valid : response.status
}

/** Signs in at the scripted provider, with every request to this instance. */
export async function signInAt(
  { baseUrl }: Cluster,
  instance: Instance,
  app: Tenant,
  email: string,
): Promise<Pair | { readonly status: number }> {
  const transport: Transport = (url, init) =>
    instance.transport(
      url.origin === baseUrl ? new URL(url.pathname + url.search, instance.agent.baseUrl) : url,
      init,
    )
  const headers = { 'X-Forwarded-For': `10.${random()}.${random()}.${random()}` }
  const browser = new Browser({ origins: [baseUrl], headers, transport })
  const authorize = await browser.open(`${baseUrl}/edge/auth/${app.id}/google`)
  if (!authorize.searchParams.has('nonce')) {
    return { status: browser.page.status }
  }
  await browser.open(providerCallback(authorize, email))
  if (!browser.page.text.includes('Continue')) {
    return { status: browser.page.status }
  }
  const { searchParams } = await browser.press('Continue')
  const [access_token, refresh_token] = [
    searchParams.get('access_token'),
    searchParams.get('refresh_token'),
  ]
  return access_token && refresh_token
    ? { access_token, refresh_token }
    : { status: browser.page.status }
}

/** Without checking the token. */
export const claimsOf = (
  token: string,
): { readonly id: number; readonly sid: number; readonly gen: number } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))

function begin(user: User, change: 'refresh' | 'logout'): void {
  if (user.inDoubt === null) {
    user.inDoubtSince = Date.now()
  }
  user.inDoubt = change
}

const newKey = (): string => `attempt-${randomBytes(9).toString('base64url')}`
const isRetryable = ({ status }: ApiResponse): boolean => [429, 502, 503, 504].includes(status)
const random = (): number => Math.floor(Math.random() * 256)

function at<T>(list: readonly T[], n: number): T {
  const found = list.at(n < 0 ? n : n % list.length)
  if (found === undefined) {
    throw new Error('an empty list')
  }
  return found
}
