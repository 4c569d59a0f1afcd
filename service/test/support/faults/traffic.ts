import { setTimeout as sleep } from 'node:timers/promises'
import { RawMcpClient } from '../actors/mcp.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { isConnectionLost } from '../ledger/observed-responses.ts'
import { newTenant } from '../process/service-process.ts'
import { ownedApp, type SignIn } from './app.ts'
import type { Cluster } from './cluster.ts'
import { timeBound } from './figures.ts'
import { SimulatedUser } from './simulated-user.ts'

/** Each user has at most one request in flight and pauses between requests, so this bounds the load. */
const USERS = 8
const PAUSE_MS = 12

/**
 * A mix of everything that apps, users and agents do: sign-in, verify, refresh, logout, event history, new guests and MCP.
 * Faults may break connections and cause 503 or 429; anything else unexpected is a problem and fails the experiment.
 */
export class Traffic {
  readonly simulatedUsers: readonly SimulatedUser[]
  readonly problems: string[] = []
  readonly #cluster: Cluster
  readonly #ledger: Ledger
  #running = false
  #ended: Promise<unknown> = Promise.resolve()

  private constructor(cluster: Cluster, ledger: Ledger, simulatedUsers: readonly SimulatedUser[]) {
    this.#cluster = cluster
    this.#ledger = ledger
    this.simulatedUsers = simulatedUsers
  }

  static async to(
    cluster: Cluster,
    ledger: Ledger,
    signIn: SignIn,
    users = USERS,
  ): Promise<Traffic> {
    const simulatedUsers = []
    // One app per user, so that users do not share a rate limit.
    for (let number = 0; number < users; number++) {
      const app = await ownedApp(cluster)
      await ledger.acknowledge({ kind: 'tenant', tenant: app.id, key: ledger.keep(app.key) })
      simulatedUsers.push(new SimulatedUser(cluster, ledger, app, signIn))
    }
    return new Traffic(cluster, ledger, simulatedUsers)
  }

  start(): void {
    this.#running = true
    this.#ended = Promise.all([
      ...this.simulatedUsers.map((user) => this.#repeat(() => this.#act(user))),
      this.#repeat(() => this.#createGuest(), 120),
      this.#repeat(() => this.#signInOnce(), 60),
      this.#repeat(() => this.#callAsAgent(), 60),
    ])
  }

  /** Waits until the requests in flight have ended. */
  async stop(): Promise<void> {
    this.#running = false
    await this.#ended
  }

  /** Retries every change whose outcome is unknown until all outcomes are known. */
  async settle(withinMs = timeBound(10_000)): Promise<void> {
    const deadline = performance.now() + withinMs
    for (const user of this.simulatedUsers) {
      while (!(await user.settle(this.#cluster.any()))) {
        if (performance.now() > deadline) {
          throw new Error(`a retry still failed after ${withinMs} ms`)
        }
        await sleep(50)
      }
    }
  }

  async #repeat(act: () => Promise<void>, pauseMs = PAUSE_MS): Promise<void> {
    while (this.#running) {
      try {
        await act()
      } catch (error) {
        if (!isConnectionLost(error)) {
          this.problems.push(String(error))
          return
        }
      }
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }

  async #act(user: SimulatedUser): Promise<void> {
    const at = this.#cluster.any()
    if (user.isOutcomeUnknown) {
      await user.settle(at)
      return
    }
    if (!user.isSignedIn) {
      return user.signIn()
    }
    const chance = Math.random()
    // Refreshes are rare enough to stay below the owner's 750 events a minute.
    if (chance < 0.8) {
      await user.verify(at)
    } else if (chance < 0.98) {
      await user.refresh(at)
    } else {
      await user.signOut(at)
    }
  }

  /** A user who signs in once and makes no further request; the app keeps the user record. */
  async #signInOnce(): Promise<void> {
    const existing = this.#randomUser()
    // A separate user of the same app, so that the existing session stays as it is.
    const once = new SimulatedUser(this.#cluster, this.#ledger, existing.app, existing.signInWith)
    try {
      await once.signIn()
    } finally {
      existing.unconfirmedSignIns += once.unconfirmedSignIns
    }
  }

  async #createGuest(): Promise<void> {
    const guest = await newTenant(this.#cluster.any()).catch((error: unknown) => {
      if (/503|429/.test(String(error))) {
        return null
      }
      throw error
    })
    if (guest === null) {
      return
    }
    await this.#ledger.acknowledge({
      kind: 'tenant',
      tenant: guest.id,
      key: this.#ledger.keep(guest.key),
    })
  }

  async #callAsAgent(): Promise<void> {
    const { app } = this.#randomUser()
    const { agent } = this.#cluster.any()
    const events = await app.at(agent).manage('GET', '/api/social-login/events?limit=20')
    if (events.status !== 200 && events.status !== 503) {
      throw new Error(`GET events returned ${events.status}`)
    }
    const named = { tenant_id: app.id, coh_management_key: app.key }
    const response = await new RawMcpClient(agent).request('tools/call', {
      name: 'tenant_status',
      arguments: named,
    })
    if (response.status !== 200 && response.status !== 503) {
      throw new Error(`MCP returned ${response.status} ${response.text}`)
    }
  }

  #randomUser(): SimulatedUser {
    const user = this.simulatedUsers[Math.floor(Math.random() * this.simulatedUsers.length)]
    if (user === undefined) {
      throw new Error('there are no users')
    }
    return user
  }
}
