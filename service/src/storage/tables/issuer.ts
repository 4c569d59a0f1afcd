/** Row types of the issuer; see tables.ts. */

import type { TenantId } from '../../domain/ids.ts'

export interface IssuerTables {
  /** The RSA keys with which tenants sign ID tokens. */
  signing_keys: {
    tenant_id: TenantId
    /** The number of the master key that seals it. A tenant has one key for each. */
    master_kid: number
    /** Its public half, as the JSON of JWKS. */
    public_key: string
    /** Its private half. Sealed. */
    sealed: Uint8Array
    /** When it was made. The first one signs at once, another one an hour later. */
    created_at: number
  }
}
