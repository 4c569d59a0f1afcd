import { randomBytes } from 'node:crypto'
import type { ApiResponse, Pair, Tenant } from '../actors/agent.ts'
import { hashOf, type Ledger } from '../ledger/ledger.ts'
import { randomEmail, type SignIn } from './app.ts'
import type { Cluster, Instance } from './cluster.ts'
import { timeBound } from './figures.ts'

/** The time within which a revocation reaches every other instance. Unchecked where the instance may wait for a core. */
const PROPAGATION_MS = timeBound(2_000)

/** A session as its app stores it: the current token pair, and the idempotency key of the next refresh. */
interface Session {
  readonly name: string
  pair: Pair
  idempotencyKey: string
  /** The previous pair: invalid at once at the instance that replaced it, and elsewhere within two seconds. */
  replaced: { readonly pair: Pair; readonly by: Instance; readonly at: number } | null
}

/**
 * One user of one app, with one request at a time. Records every acknowledged change in the ledger, and retries with the
 * same idempotency key a change whose outcome is unknown.
 */
export class SimulatedUser {
  readonly app: Tenant
  readonly #cluster: Cluster
  readonly #ledger: Ledger
  readonly signInWith: SignIn
  #session: Session | null = null
  /** The session whose logout has no confirmed outcome. */
  #signingOut: Session | null = null
  /** A refresh or logout got no response, or a retryable error. */
  isOutcomeUnknown = false
  /** Sign-ins that broke off and may have been committed. */
  unconfirmedSignIns = 0

  constructor(cluster: Cluster, ledger: Ledger, app: Tenant, signInWith: SignIn) {
    this.#cluster = cluster
    this.#ledger = ledger
    this.app = app
    this.signInWith = signInWith
  }

  get isSignedIn(): boolean {
    return this.#session !== null
  }

  async signIn(): Promise<void> {
    const email = randomEmail()
    this.unconfirmedSignIns += 1
    const pair = await this.signInWith(this.#cluster, this.app, email)
    if (pair === null) {
      return
    }
    this.unconfirmedSignIns -= 1
    const name = randomBytes(6).toString('base64url')
    this.#session = { name, pair, idempotencyKey: newIdempotencyKey(), replaced: null }
    await this.#ledger.acknowledge({
      kind: 'signed-in',
      tenant: this.app.id,
      session: name,
      user: hashOf(email),
      ...this.#named(pair),
    })
  }

  /** False after a retryable error. */
  async refresh(at: Instance): Promise<boolean> {
    const session = this.#session
    if (session === null) {
      return true
    }
    this.isOutcomeUnknown = true
    const { refresh_token } = session.pair
    const response = await this.app
      .at(at.agent)
      .edge('refresh', { refresh_token }, { 'Idempotency-Key': session.idempotencyKey })
    if (isRetryable(response)) {
      return false
    }
    if (response.status !== 200) {
      throw new Error(`a session that was acknowledged is lost: ${response.text}`)
    }
    this.isOutcomeUnknown = false
    const next: Pair = response.json
    session.replaced = { pair: session.pair, by: at, at: performance.now() }
    session.pair = next
    session.idempotencyKey = newIdempotencyKey()
    await this.#ledger.acknowledge({
      kind: 'refreshed',
      tenant: this.app.id,
      session: session.name,
      spent: hashOf(refresh_token),
      ...this.#named(next),
    })
    return true
  }

  /** False after a retryable error. */
  async signOut(at: Instance): Promise<boolean> {
    const session = this.#signingOut ?? this.#session
    if (session === null) {
      return true
    }
    this.#signingOut = session
    this.#session = null
    this.isOutcomeUnknown = true
    const response = await this.app
      .at(at.agent)
      .edge('logout', { refresh_token: session.pair.refresh_token })
    if (isRetryable(response)) {
      return false
    }
    if (response.status !== 200) {
      throw new Error(`a logout failed: ${response.text}`)
    }
    this.isOutcomeUnknown = false
    this.#signingOut = null
    await this.#ledger.acknowledge({
      kind: 'signed-out',
      tenant: this.app.id,
      session: session.name,
    })
    return true
  }

  /** Checks that the current access token is valid and the replaced one is not. */
  async verify(at: Instance): Promise<void> {
    const session = this.#session
    if (session === null) {
      return
    }
    const app = this.app.at(at.agent)
    if (!(await app.isValid(session.pair.access_token))) {
      throw new Error('a valid access token was called invalid')
    }
    const { replaced } = session
    if (
      replaced === null ||
      !(replaced.by === at || performance.now() - replaced.at > PROPAGATION_MS)
    ) {
      return
    }
    if (await app.isValid(replaced.pair.access_token)) {
      throw new Error('I3: a replaced access token was called valid')
    }
  }

  /** Retries a change whose outcome is unknown. */
  async settle(at: Instance): Promise<boolean> {
    if (this.#signingOut !== null) {
      return this.signOut(at)
    }
    return this.isOutcomeUnknown ? this.refresh(at) : true
  }

  #named(pair: Pair): { readonly access: string; readonly refresh: string } {
    return {
      access: this.#ledger.keep(pair.access_token),
      refresh: this.#ledger.keep(pair.refresh_token),
    }
  }
}

const newIdempotencyKey = (): string => `attempt-${randomBytes(9).toString('base64url')}`

const isRetryable = ({ status }: ApiResponse): boolean => status === 503 || status === 429
