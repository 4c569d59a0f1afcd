import type { TENANT_STATUSES } from '@gatehouse/contract'

/** A new tenant without its keys. The field names are those of the hosted tool's output. */
export interface CreatedTenant {
  readonly tenant_id: string
  readonly status: (typeof TENANT_STATUSES)[number]
  readonly expires_at: string | null
  readonly tenant_lifecycle: 'ephemeral' | 'claimed'
  readonly runtime_profile: string
  readonly base_url: string
  readonly credentials_path: string
  /** True when the project already had this tenant. */
  readonly reused: boolean
}
