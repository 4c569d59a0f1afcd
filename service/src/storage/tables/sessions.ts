/** Row types of sessions; see tables.ts. */

import type { ResourceId, SessionId, TenantId, UserId } from '../../domain/ids.ts'
import type { Id } from '../engine.ts'

export interface SessionTables {
  sessions: {
    /** A dense number; part of both tokens. */
    id: Id<SessionId>
    tenant_id: TenantId
    resource_id: ResourceId
    user_id: UserId
    /** Twelve random bytes that the refresh token must also contain. */
    salt: Uint8Array
    /** Counts refreshes; tokens of an older generation are spent. */
    generation: number
    /** When the user signed in. */
    created_at: number
    /**
     * When this generation was issued. The user's `last_seen`, as long as it is the latest; the
     * transaction that deletes the row carries it over.
     */
    rotated_at: number
    /** When the previous generation was issued: until when its access token can be valid. */
    previous_rotated_at: number | null
    /** 30 days after the last refresh. */
    expires_at: number
    /** 365 days after sign-in. */
    absolute_expires_at: number
    /** The `Idempotency-Key` of the last refresh, if it had one. Hashed. */
    idempotency_hash: string | null
    /** The generation that a late repeat issued again (decision 44); null if there was none. */
    late_generation: number | null
    /** Until when that generation can be issued again. */
    late_until: number | null
    /** When the sweeper checks it next; indexed instead of `expires_at`, which every refresh moves. */
    sweep_at: number
  }
}
