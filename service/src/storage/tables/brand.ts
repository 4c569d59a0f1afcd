/** Row types of domains and brands; see tables.ts. */

import type { DomainMethod, DomainStatus } from '@gatehouse/contract'
import type { TenantId } from '../../domain/ids.ts'

export interface BrandTables {
  domains: DomainRow
}

interface DomainRow {
  tenant_id: TenantId
  host: string
  status: DomainStatus
  method: DomainMethod | null
  verified_at: number | null
  checked_at: number | null
  /** When the sweep checks it next, or until when one process does. */
  next_check_at: number | null
  misses: number
  created_at: number
}
