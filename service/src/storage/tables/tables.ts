/**
 * Row types, the same for both engines. Times are integers in milliseconds, there are no booleans, JSON is text, and bytes
 * are Uint8Array. docs/storage.md explains every column.
 */

import type { TenantId } from '../../domain/ids.ts'
import type { Revocation } from '../../domain/revocation/revocation.ts'
import type { Id } from '../row-id.ts'
import type { AccountTables } from './accounts.ts'
import type { BrandTables } from './brand.ts'
import type { MeTables } from './me.ts'
import type { ModerationTables } from './moderation.ts'
import type { OAuthTables } from './oauth.ts'
import type { ProviderTables } from './providers.ts'
import type { SocialLoginTables } from './social-login.ts'
import type { TenantTables } from './tenants.ts'
import type { WebhookTables } from './webhooks.ts'

export interface Tables
  extends TenantTables,
    AccountTables,
    SocialLoginTables,
    BrandTables,
    MeTables,
    ModerationTables,
    ProviderTables,
    OAuthTables,
    WebhookTables {
  revocations: RevocationRow
  key_checks: KeyCheckRow
  lineage: LineageRow
}

interface RevocationRow {
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

interface KeyCheckRow {
  kid: string
  proof: string
}

/** One row, or none before the first connection to PostgreSQL and before `restored` on SQLite. */
interface LineageRow {
  id: number
  /** Of PostgreSQL's control file; with the timeline, it identifies a history. */
  system_id: string
  timeline: number
  /** Identifies this lineage to the processes that are connected. */
  mark: string
  since_ms: number
  /** Users and events get ids above this one. */
  id_floor: number
}
