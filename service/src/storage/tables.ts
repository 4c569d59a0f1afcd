/**
 * Row types, the same for both engines. Times are integers in milliseconds, there are no booleans, JSON is text, and bytes
 * are Uint8Array. docs/storage.md explains every column.
 */

import type { TenantId } from '../domain/ids.ts'
import type { Revocation } from '../domain/revocation/revocation.ts'
import type { Id } from './row-id.ts'
import type { AccountTables } from './tables-accounts.ts'
import type { OAuthTables } from './tables-oauth.ts'
import type { SocialLoginTables } from './tables-social-login.ts'
import type { TenantTables } from './tables-tenants.ts'
import type { WebhookTables } from './tables-webhooks.ts'

export interface Tables extends TenantTables, AccountTables, SocialLoginTables, OAuthTables, WebhookTables {
  revocations: RevocationRow
  key_checks: KeyCheckRow
}

interface RevocationRow {
  id: Id
  kind: Revocation['kind']
  tenant_id: TenantId
  /** The session or resource that it revokes. */
  subject_id: number | null
  generation: number | null
  until_ms: number
}

interface KeyCheckRow {
  kid: string
  proof: string
}
