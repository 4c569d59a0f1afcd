/** The store of the keys with which tenants sign ID tokens. */

import type { TenantId } from '../ids.ts'
import type { StoredSigningKey } from '../issuer/signing-key.ts'

export interface SigningKeyStore {
  /** The oldest first. */
  list(tenantId: TenantId): Promise<StoredSigningKey[]>
  /** Does nothing if the tenant has a key of this master key: another instance was first. */
  add(key: StoredSigningKey): Promise<void>
}
