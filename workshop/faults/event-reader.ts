import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '../../service/test/support/actors/agent.ts'
import type { Cluster } from '../../service/test/support/faults/cluster.ts'
import { isConnectionLost } from '../../service/test/support/ledger/observed-responses.ts'

const PAUSE_MS = 2

/** Reads the newest events of apps all the time, and remembers what it was told: a fault must not undo it. */
export class EventReader {
  readonly #cluster: Cluster
  readonly #apps: readonly Tenant[]
  readonly #newest = new Map<string, number>()
  #running = false
  #ended: Promise<void> = Promise.resolve()
  #news = Promise.withResolvers<void>()
  reads = 0

  constructor(t: Pick<TestContext, 'after'>, cluster: Cluster, apps: readonly Tenant[]) {
    this.#cluster = cluster
    this.#apps = apps
    t.after(() => this.stop())
  }

  start(): void {
    this.#running = true
    this.#ended = this.#run()
  }

  async stop(): Promise<void> {
    this.#running = false
    await this.#ended
  }

  /** Resolves when a response tells of a new event. */
  next(): Promise<void> {
    return this.#news.promise
  }

  /** After a restart, and before new events. */
  async assertStillThere(): Promise<void> {
    for (const app of this.#apps) {
      const told = this.#newest.get(app.id)
      if (told === undefined) {
        continue
      }
      const [event] = await this.#eventsAfter(app, told - 1)
      assert.equal(event?.id, told, 'I1: an event that a response told of is lost')
    }
  }

  async #run(): Promise<void> {
    for (let at = 0; this.#running; at += 1) {
      const app = this.#apps[at % this.#apps.length]
      if (app === undefined) {
        return
      }
      try {
        const newest = (await this.#eventsAfter(app, this.#newest.get(app.id) ?? 0)).at(-1)
        if (newest !== undefined) {
          this.#told(app, newest.id)
        }
        this.reads += 1
      } catch (error) {
        if (!isConnectionLost(error)) {
          throw error
        }
      }
      await sleep(PAUSE_MS)
    }
  }

  #told(app: Tenant, id: number): void {
    this.#newest.set(app.id, id)
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }

  async #eventsAfter(app: Tenant, after: number): Promise<{ readonly id: number }[]> {
    const { agent } = this.#cluster.any()
    const response = await app.at(agent).manage('GET', `/api/social-login/events?after=${after}`)
    if (response.status === 503 || response.status === 429) {
      return []
    }
    assert.equal(response.status, 200, response.text)
    return response.json.events
  }
}
