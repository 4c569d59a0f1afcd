import type { Generated } from 'kysely'
import type { TenantId } from '../../domain/ids.ts'
import type { Revocation } from '../../domain/revocation/revocation.ts'
import type { Id } from '../engine.ts'
import type { AccountTables } from './accounts.ts'
import type { BrandTables } from './brand.ts'
import type { ClaimTables } from './claims.ts'
import type { EventTables } from './events.ts'
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
    LimitTables {
  revocations: {
    id: Id
    kind: Revocation['kind']
    tenant_id: TenantId
    /** The session or resource that it revokes; the first session of `sessions-lost`. */
    subject_id: number | null
    generation: number | null
    until_ms: number
    /** The last session of `sessions-lost`. */
    last_id: number | null
  }
  key_checks: {
    kid: string
    proof: string
    added_at: number
  }
  migration_hashes: {
    name: string
    hash: string
  }
  /** One row, or none before the first connection to PostgreSQL and before `restored` on SQLite. */
  lineage: {
    id: number
    /** Of PostgreSQL's control file; with the timeline, it identifies a history. */
    system_id: string
    timeline: number
    /** Identifies this lineage to the processes that are connected. */
    mark: string
    since_ms: number
    /** Users and events get ids above this one. */
    id_floor: number
    /** The marks of the lineages that this one continues, the parent first: `mark@position`. */
    ancestors: Generated<string>
  }
}
