import type { Generated } from 'kysely'
import type { TenantId } from '../../domain/ids.ts'
import type { Revocation } from '../../domain/revocation/revocation.ts'
import type { Id } from '../engine.ts'
import type { AccountTables } from './accounts.ts'
import type { BrandTables } from './brand.ts'
import type { ClaimTables } from './claims.ts'
import type { EventTables } from './events.ts'
import type { IssuerTables } from './issuer.ts'
import type { LimitTables } from './limits.ts'
import type { LoginTables } from './login.ts'
import type { OAuthTables } from './oauth.ts'
import type { ProviderTables } from './providers.ts'
import type { SessionTables } from './sessions.ts'
import type { TenantTables } from './tenants.ts'
import type { UserTables } from './users.ts'
import type { WebhookTables } from './webhooks.ts'

/**
 * Row types, the same for both engines. Times are integers in milliseconds, there are no booleans, JSON is text, and bytes
 * are Uint8Array. docs/storage.md explains every column.
 */
export interface Tables
  extends TenantTables,
    ClaimTables,
    AccountTables,
    LoginTables,
    SessionTables,
    UserTables,
    EventTables,
    WebhookTables,
    ProviderTables,
    BrandTables,
    OAuthTables,
    IssuerTables,
    LimitTables {
  revocations: {
    /** A number. */
    id: Id
    /**
     * `session`, `resource`, `tenant-paused`, `tenant-claimed`, `tenant-suspended`, `tenant-lifted`
     * or `sessions-lost`.
     */
    kind: Revocation['kind']
    /** The tenant; `*` for `sessions-lost`. */
    tenant_id: TenantId
    /** The session or resource, if it is about one; the first session of `sessions-lost`. */
    subject_id: number | null
    /**
     * For a session: the first generation that isn't spent. For a suspension or a lift: its place
     * in their order.
     */
    generation: number | null
    /** When no token can need it any more. */
    until_ms: number
    /** The last session of `sessions-lost`; otherwise null. */
    last_id: number | null
  }
  key_checks: {
    /** The key's number. */
    kid: string
    /** An HMAC of a constant: identifies the key, reveals nothing about it. Hashed. */
    proof: string
    /**
     * When an instance first started with the key. From an hour later on it signs ID tokens
     * (decision 67).
     */
    added_at: number
  }
  migration_hashes: {
    /** The step. */
    name: string
    /** The SHA-256 of its text (`service/content/migrations`). */
    hash: string
  }
  /** One row, or none before the first connection to PostgreSQL and before `restored` on SQLite. */
  lineage: {
    /** Always 1. */
    id: number
    /** The identifier of the PostgreSQL cluster; with the timeline, it identifies a history. */
    system_id: string
    /** PostgreSQL's timeline, which grows when a standby is promoted or a backup is recovered. */
    timeline: number
    /**
     * A random id of this lineage: a process that sees another one knows that the database was
     * replaced.
     */
    mark: string
    /** When the lineage started. */
    since_ms: number
    /** Users and events get ids above this one. */
    id_floor: number
    /**
     * The marks of the lineages that this one continues, the parent first, each with the position
     * in the WAL where it ended: `mark@position`; at most 100.
     */
    ancestors: Generated<string>
  }
}
