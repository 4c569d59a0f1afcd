import { randomBytes } from 'node:crypto'
import type { ApiResponse, Pair, Tenant } from '../actors/agent.ts'
import { hashOf, type Ledger } from '../ledger/ledger.ts'
import { type SignIn, somebody } from './app.ts'
import type { Cluster, Instance } from './cluster.ts'

/** A session as its app knows it: the pair it holds, and the name of the refresh that is under way. */
interface Session {
  readonly name: string
  pair: Pair
  attempt: string
  /** A pair that was replaced, and who replaced it: dead there at once, and everywhere within two seconds. */
  replaced: { readonly pair: Pair; readonly by: Instance; readonly at: number } | null
}

/**
 * One person in one app. It does one thing at a time, writes down whatever it is told, and asks again, by the same
 * name, for what it was not told.
 */
export class Visitor {
  readonly app: Tenant
  readonly #cluster: Cluster
  readonly #ledger: Ledger
  readonly signIn: SignIn
  #session: Session | null = null
  /** The session that is being ended; whether it has ended, only the service knows. */
  #leaving: Session | null = null
  /** A refresh or a sign-out that nobody answered, or that was refused for now. */
  inDoubt = false
  /** Sign-ins that broke off: they may have happened. */
  brokenOff = 0

  constructor(cluster: Cluster, ledger: Ledger, app: Tenant, signIn: SignIn) {
    this.#cluster = cluster
    this.#ledger = ledger
    this.app = app
    this.signIn = signIn
  }

  get signedIn(): boolean {
    return this.#session !== null
  }

  async arrive(): Promise<void> {
    const person = somebody()
    this.brokenOff += 1
    const pair = await this.signIn(this.#cluster, this.app, person)
    if (pair === null) return
    this.brokenOff -= 1
    const name = randomBytes(6).toString('base64url')
    this.#session = { name, pair, attempt: newAttempt(), replaced: null }
    await this.#ledger.acknowledge({
      kind: 'signed-in',
      tenant: this.app.id,
      session: name,
      person: hashOf(person),
      ...this.#named(pair),
    })
  }

  /** Asks for the next pair; false when it was refused for now, and may be asked for again. */
  async refresh(at: Instance): Promise<boolean> {
    const session = this.#session
    if (session === null) return true
    this.inDoubt = true
    const { refresh_token } = session.pair
    const response = await this.app
      .at(at.agent)
      .edge('refresh', { refresh_token }, { 'Idempotency-Key': session.attempt })
    if (isForNow(response)) return false
    if (response.status !== 200) throw new Error(`a session that was acknowledged is lost: ${response.text}`)
    this.inDoubt = false
    const next: Pair = response.json
    session.replaced = { pair: session.pair, by: at, at: performance.now() }
    session.pair = next
    session.attempt = newAttempt()
    await this.#ledger.acknowledge({
      kind: 'refreshed',
      tenant: this.app.id,
      session: session.name,
      spent: hashOf(refresh_token),
      ...this.#named(next),
    })
    return true
  }

  async leave(at: Instance): Promise<boolean> {
    const session = this.#leaving ?? this.#session
    if (session === null) return true
    this.#leaving = session
    this.#session = null
    this.inDoubt = true
    const response = await this.app.at(at.agent).edge('logout', { refresh_token: session.pair.refresh_token })
    if (isForNow(response)) return false
    if (response.status !== 200) throw new Error(`a sign-out was refused: ${response.text}`)
    this.inDoubt = false
    this.#leaving = null
    await this.#ledger.acknowledge({ kind: 'signed-out', tenant: this.app.id, session: session.name })
    return true
  }

  /** The pair it holds is good, and the one before it is not. */
  async verify(at: Instance): Promise<void> {
    const session = this.#session
    if (session === null) return
    const app = this.app.at(at.agent)
    if (!(await app.isValid(session.pair.access_token))) throw new Error('a good access token was called invalid')
    const { replaced } = session
    if (replaced === null || !(replaced.by === at || performance.now() - replaced.at > 2_000)) return
    if (await app.isValid(replaced.pair.access_token)) throw new Error('I3: a replaced access token was called valid')
  }

  /** Finishes what is in doubt, by asking again. */
  async settle(at: Instance): Promise<boolean> {
    return this.#leaving !== null ? this.leave(at) : this.inDoubt ? this.refresh(at) : true
  }

  #named(pair: Pair): { readonly access: string; readonly refresh: string } {
    return { access: this.#ledger.keep(pair.access_token), refresh: this.#ledger.keep(pair.refresh_token) }
  }
}

const newAttempt = (): string => `attempt-${randomBytes(9).toString('base64url')}`

const isForNow = ({ status }: ApiResponse): boolean => status === 503 || status === 429
