import type { ResourceId, SessionId, TenantId } from '../ids.ts'
import type { Instant } from '../time.ts'
import type { Revocation, SuspensionChange } from './revocation.ts'
import { SessionTable } from './session-table.ts'

/** A revocation without its tenant, which only the database knows. */
export type LostRevocation =
  | Omit<Extract<Revocation, { kind: 'session' }>, 'tenantId'>
  | Omit<Extract<Revocation, { kind: 'resource' }>, 'tenantId'>

type LostSessions = Extract<Revocation, { kind: 'sessions-lost' }>

/**
 * The revocations in this process's memory, for verify. Changed only by committed revocations, and monotonic, so late or
 * repeated ones are harmless.
 */
export class Revocations {
  readonly #sessions = new SessionTable()
  readonly #resources = new Map<number, number>()
  readonly #paused = new Map<string, number>()
  readonly #claimed = new Map<string, number>()
  /** Empty, except for an hour after a suspension. */
  readonly #suspensions = new Map<string, SuspensionChange>()
  /** Empty, except for an hour after the database lost its last changes. */
  #lost: readonly LostSessions[] = []

  get size(): number {
    const tenants = this.#paused.size + this.#claimed.size + this.#suspensions.size
    return this.#sessions.size + this.#resources.size + tenants + this.#lost.length
  }

  apply(revocation: Revocation): void {
    switch (revocation.kind) {
      case 'session':
        this.#sessions.revokeBelow(revocation.sessionId, revocation.generation, revocation.until)
        break
      case 'resource':
        extend(this.#resources, revocation.resourceId, revocation.until)
        break
      case 'tenant-paused':
        extend(this.#paused, revocation.tenantId, revocation.until)
        break
      case 'tenant-claimed':
        extend(this.#claimed, revocation.tenantId, revocation.until)
        break
      case 'tenant-suspended':
      case 'tenant-lifted':
        if (revocation.generation > (this.#suspensions.get(revocation.tenantId)?.generation ?? 0)) {
          this.#suspensions.set(revocation.tenantId, revocation)
        }
        break
      case 'sessions-lost':
        if (
          !this.#lost.some(
            ({ first, last }) => first === revocation.first && last === revocation.last,
          )
        ) {
          this.#lost = [...this.#lost, revocation]
        }
        break
    }
  }

  isRevoked(sessionId: SessionId, generation: number): boolean {
    return (
      this.#sessions.isRevoked(sessionId, generation) ||
      (this.#lost.length > 0 && this.#isLost(sessionId))
    )
  }

  isDeleted(resourceId: ResourceId): boolean {
    return this.#resources.has(resourceId)
  }

  /** Only a claim lifts a pause, and a claimed tenant is never paused again, so the claim always wins. */
  isPaused(tenantId: TenantId): boolean {
    return this.#paused.size > 0 && this.#paused.has(tenantId) && !this.#claimed.has(tenantId)
  }

  isSuspended(tenantId: TenantId): boolean {
    return (
      this.#suspensions.size > 0 && this.#suspensions.get(tenantId)?.kind === 'tenant-suspended'
    )
  }

  /** Whether unexpired tokens may still contain the expiry from before the claim. */
  isRecentlyClaimed(tenantId: TenantId): boolean {
    return this.#claimed.has(tenantId)
  }

  /** The sessions and resources that this table revokes and `stored` doesn't. */
  *missingIn(stored: Revocations, now: Instant): Generator<LostRevocation> {
    for (const { sessionId, generation, until } of this.#sessions.entries(now)) {
      // Generations below `generation` are revoked, so the one before it is the newest of them.
      if (!stored.isRevoked(sessionId, generation - 1)) {
        yield { kind: 'session', sessionId, generation, until }
      }
    }
    for (const [resourceId, until] of this.#resources) {
      if (until > now && !stored.isDeleted(resourceId)) {
        yield { kind: 'resource', resourceId, until }
      }
    }
  }

  /** The tenants that are paused, suspended or recently claimed. */
  tenants(): ReadonlySet<TenantId> {
    return new Set([...this.#paused.keys(), ...this.#claimed.keys(), ...this.#suspensions.keys()])
  }

  /** Forgets that these tenants are paused, suspended or claimed, unless that is in `stored`. */
  forgetTenants(tenants: ReadonlySet<TenantId>, stored: Revocations): void {
    for (const tenantId of tenants) {
      if (!stored.#paused.has(tenantId)) {
        this.#paused.delete(tenantId)
      }
      if (!stored.#claimed.has(tenantId)) {
        this.#claimed.delete(tenantId)
      }
      const suspension = stored.#suspensions.get(tenantId)
      if (suspension === undefined) {
        this.#suspensions.delete(tenantId)
      } else {
        this.#suspensions.set(tenantId, suspension)
      }
    }
  }

  prune(now: Instant): void {
    this.#sessions.prune(now)
    deleteExpired(this.#resources, now)
    deleteExpired(this.#paused, now)
    deleteExpired(this.#claimed, now)
    for (const [tenantId, { until }] of this.#suspensions) {
      if (until <= now) {
        this.#suspensions.delete(tenantId)
      }
    }
    if (this.#lost.length > 0) {
      this.#lost = this.#lost.filter(({ until }) => until > now)
    }
  }

  #isLost(sessionId: SessionId): boolean {
    return this.#lost.some(({ first, last }) => first <= sessionId && sessionId <= last)
  }
}

function extend<K>(map: Map<K, number>, key: K, until: Instant): void {
  map.set(key, Math.max(until, map.get(key) ?? 0))
}

function deleteExpired<K>(map: Map<K, number>, now: Instant): void {
  for (const [key, until] of map) {
    if (until <= now) {
      map.delete(key)
    }
  }
}
