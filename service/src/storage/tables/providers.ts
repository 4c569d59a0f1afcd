/** Row types of providers; see tables.ts. */

import type { ProviderClientId, TenantId } from '../../domain/ids.ts'
import type { ProviderName, ProviderStatus } from '../../domain/providers/provider-client.ts'

export interface ProviderTables {
  provider_clients: {
    tenant_id: TenantId
    id: ProviderClientId
    provider: ProviderName
    mode: 'shared' | 'own'
    client_id: string | null
    issuer: string | null
    display_name: string | null
    /** Encrypted for this client; see domain/providers/provider-client.ts. */
    sealed: Uint8Array | null
    redirect_uri: string
    status: ProviderStatus
    created_at: number
    tested_at: number | null
    retired_at: number | null
  }
}
