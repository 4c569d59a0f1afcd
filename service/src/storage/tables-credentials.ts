/** Row types of creation under a name and of credentials that can be asked for again; see tables.ts. */
import type { TenantId } from '../domain/ids.ts'

export interface CredentialsTables {
  idempotency_keys: IdempotencyKeyRow
  tenant_credentials: TenantCredentialsRow
}

interface IdempotencyKeyRow {
  /** Keyed hash of who asked, by which client, for what, under which name. */
  scope: string
  tenant_id: TenantId
  created_at: number
}

interface TenantCredentialsRow {
  tenant_id: TenantId
  /** Both keys, encrypted for this tenant; see domain/tokens/seal.ts. */
  sealed: Uint8Array
  sealed_at: number
}
