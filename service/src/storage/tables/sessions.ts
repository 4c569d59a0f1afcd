/** Row types of sessions; see tables.ts. */

import type { ResourceId, SessionId, TenantId, UserId } from '../../domain/ids.ts'
import type { Id } from '../engine.ts'

export interface SessionTables {
  sessions: {
    id: Id<SessionId>
    tenant_id: TenantId
    resource_id: ResourceId
    user_id: UserId
    salt: Uint8Array
    generation: number
    created_at: number
    rotated_at: number
    /** When the previous generation was issued: bounds the lifetime of its access token. */
    previous_rotated_at: number | null
    expires_at: number
    absolute_expires_at: number
    idempotency_hash: string | null
    /** The generation whose tokens were last issued again by a late repeat, and until when they can be (replay.ts). */
    late_generation: number | null
    late_until: number | null
    /** When the sweeper checks the session next; indexed instead of `expires_at`, which every refresh moves (sessions.ts). */
    sweep_at: number
  }
}
