/** Row types of brand; see tables.ts. */

import type { Accent, DomainMethod, DomainStatus } from '@gatehouse-auth/contract'
import type { TenantId } from '../../domain/ids.ts'

export interface BrandTables {
  domains: {
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
  brands: {
    tenant_id: TenantId
    name: string
    privacy_url: string | null
    terms_url: string | null
    accent: Accent | null
    updated_at: number
  }
  /** Apart from the brand, which every consent page reads. */
  logos: {
    tenant_id: TenantId
    hash: string
    size: number
    png: Uint8Array
    updated_at: number
  }
}
