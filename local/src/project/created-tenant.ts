import type { TENANT_STATUSES } from '@gatehouse/contract'

/** What may be told of a new tenant: everything but its keys. The names are those of the hosted tool's answer. */
export interface CreatedTenant {
  readonly tenant_id: string
  readonly status: (typeof TENANT_STATUSES)[number]
  readonly expires_at: string | null
  readonly tenant_lifecycle: 'ephemeral' | 'claimed'
  readonly runtime_profile: string
  readonly base_url: string
  readonly credentials_path: string
  /** The project had this tenant already; nothing was created. */
  readonly reused: boolean
}
