import { RUNTIME_PROFILES, type RuntimeProfile } from '@gatehouse/contract'
import type { ResourceId, SessionId, TenantId } from '../ids.ts'
import type { Instant } from '../time.ts'
import type { Notice } from './notice.ts'
import { SessionTable } from './session-table.ts'

/**
 * Everything verify must know that a token cannot say itself, in this process's memory. It changes only by notices,
 * after their commit, and every change is one-way, so late or repeated notices are harmless.
 */
export class Revocations {
  readonly #sessions = new SessionTable()
  readonly #resources = new Map<string, number>()
  readonly #paused = new Map<string, number>()
  readonly #claimed = new Map<string, number>()

  get size(): number {
    return this.#sessions.size + this.#resources.size + this.#paused.size + this.#claimed.size
  }

  apply(notice: Notice): void {
    switch (notice.kind) {
      case 'session': {
        const profile = RUNTIME_PROFILES.indexOf(notice.profile)
        this.#sessions.spend(profile, notice.sessionId, notice.generation, notice.until)
        break
      }
      case 'resource':
        remember(this.#resources, `${notice.profile}|${notice.resourceId}`, notice.until)
        break
      case 'tenant-paused':
        remember(this.#paused, notice.tenantId, notice.until)
        break
      case 'tenant-claimed':
        remember(this.#claimed, notice.tenantId, notice.until)
        break
    }
  }

  isSpent(profile: RuntimeProfile, sessionId: SessionId, generation: number): boolean {
    return this.#sessions.isSpent(RUNTIME_PROFILES.indexOf(profile), sessionId, generation)
  }

  isDeleted(profile: RuntimeProfile, resourceId: ResourceId): boolean {
    return this.#resources.size > 0 && this.#resources.has(`${profile}|${resourceId}`)
  }

  /** Only a claim lifts a pause, and a claimed tenant is never paused again: the claim always wins. */
  isPaused(tenantId: TenantId): boolean {
    return this.#paused.size > 0 && this.#paused.has(tenantId) && !this.#claimed.has(tenantId)
  }

  /** Was it claimed recently enough that tokens issued before still carry its old end? */
  wasClaimed(tenantId: TenantId): boolean {
    return this.#claimed.has(tenantId)
  }

  prune(now: Instant): void {
    this.#sessions.prune(now)
    for (const map of [this.#resources, this.#paused, this.#claimed]) {
      for (const [key, until] of map) if (until <= now) map.delete(key)
    }
  }
}

function remember(map: Map<string, number>, key: string, until: Instant): void {
  map.set(key, Math.max(until, map.get(key) ?? 0))
}
