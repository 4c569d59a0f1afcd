import { setTimeout as sleep } from 'node:timers/promises'
import { McpWire } from '../actors/mcp.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { isUnanswered } from '../ledger/seen.ts'
import { newTenant } from '../process/service-process.ts'
import { ownedApp, type SignIn } from './app.ts'
import type { Cluster } from './cluster.ts'
import { Visitor } from './visitor.ts'

/** Each does one thing at a time and rests in between, so this bounds the load, and the number of open requests. */
const VISITORS = 8
const REST_MS = 12

/**
 * Everything that apps, people and agents do, mixed: sign-ins, verify, refresh, sign-out, the history, new guests and
 * MCP. Connections that break and refusals for now are what faults do; anything else that is not as it should be is a
 * problem, and ends the experiment.
 */
export class Traffic {
  readonly visitors: readonly Visitor[]
  readonly problems: string[] = []
  readonly #cluster: Cluster
  readonly #ledger: Ledger
  #running = false
  #ended: Promise<unknown> = Promise.resolve()

  private constructor(cluster: Cluster, ledger: Ledger, visitors: readonly Visitor[]) {
    this.#cluster = cluster
    this.#ledger = ledger
    this.visitors = visitors
  }

  static async to(cluster: Cluster, ledger: Ledger, signIn: SignIn, visitors = VISITORS): Promise<Traffic> {
    const apps = []
    // Each in an app of its own, so that nobody waits for another one's allowance.
    for (let number = 0; number < visitors; number++) {
      const app = await ownedApp(cluster)
      await ledger.acknowledge({ kind: 'tenant', tenant: app.id, key: ledger.keep(app.key) })
      apps.push(new Visitor(cluster, ledger, app, signIn))
    }
    return new Traffic(cluster, ledger, apps)
  }

  start(): void {
    this.#running = true
    this.#ended = Promise.all([
      ...this.visitors.map((visitor) => this.#repeat(() => this.#visit(visitor))),
      this.#repeat(() => this.#newGuest(), 120),
      this.#repeat(() => this.#newcomers(), 60),
      this.#repeat(() => this.#agent(), 60),
    ])
  }

  /** Everybody finishes what they are at. */
  async stop(): Promise<void> {
    this.#running = false
    await this.#ended
  }

  /** What nobody was told is asked for again, until everybody knows where they stand. */
  async settle(withinMs = 10_000): Promise<void> {
    const deadline = performance.now() + withinMs
    for (const visitor of this.visitors) {
      while (!(await visitor.settle(this.#cluster.any()))) {
        if (performance.now() > deadline) throw new Error(`a retry was still refused after ${withinMs} ms`)
        await sleep(50)
      }
    }
  }

  async #repeat(act: () => Promise<void>, restMs = REST_MS): Promise<void> {
    while (this.#running) {
      try {
        await act()
      } catch (error) {
        if (!isUnanswered(error)) {
          this.problems.push(String(error))
          return
        }
      }
      await sleep(restMs * (0.5 + Math.random()))
    }
  }

  async #visit(visitor: Visitor): Promise<void> {
    const at = this.#cluster.any()
    if (visitor.inDoubt) {
      await visitor.settle(at)
      return
    }
    if (!visitor.signedIn) return visitor.arrive()
    const chance = Math.random()
    // Few enough refreshes that the 750 events which an owner has in a minute are not used up.
    if (chance < 0.8) await visitor.verify(at)
    else if (chance < 0.98) await visitor.refresh(at)
    else await visitor.leave(at)
  }

  /** People who only come once; their app remembers them. */
  async #newcomers(): Promise<void> {
    const visitor = this.#some()
    // A visitor of its own in the same app: who is signed in there already is not disturbed.
    const once = new Visitor(this.#cluster, this.#ledger, visitor.app, visitor.signIn)
    try {
      await once.arrive()
    } finally {
      visitor.brokenOff += once.brokenOff
    }
  }

  async #newGuest(): Promise<void> {
    const guest = await newTenant(this.#cluster.any()).catch((error: unknown) => {
      if (/503|429/.test(String(error))) return null
      throw error
    })
    if (guest === null) return
    await this.#ledger.acknowledge({ kind: 'tenant', tenant: guest.id, key: this.#ledger.keep(guest.key) })
  }

  async #agent(): Promise<void> {
    const { app } = this.#some()
    const { agent } = this.#cluster.any()
    const events = await app.at(agent).manage('GET', '/api/social-login/events?limit=20')
    if (events.status !== 200 && events.status !== 503) throw new Error(`the history answered ${events.status}`)
    const named = { tenant_id: app.id, coh_management_key: app.key }
    const response = await new McpWire(agent).request('tools/call', { name: 'tenant_status', arguments: named })
    if (response.status !== 200 && response.status !== 503)
      throw new Error(`MCP answered ${response.status} ${response.text}`)
  }

  #some(): Visitor {
    const visitor = this.visitors[Math.floor(Math.random() * this.visitors.length)]
    if (visitor === undefined) throw new Error('there are no visitors')
    return visitor
  }
}
