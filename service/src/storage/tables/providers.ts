/** Row types of providers; see tables.ts. */

import type { ProviderClientId, TenantId } from '../../domain/ids.ts'
import type { ProviderName, ProviderStatus } from '../../domain/providers/provider-client.ts'

export interface ProviderTables {
  provider_clients: {
    tenant_id: TenantId
    /** `pc_` and 16 random characters; gives no access. Random. */
    id: ProviderClientId
    /** `google`, `github`, `microsoft`, `apple` or `oidc-` and a name. */
    provider: ProviderName
    /** `shared` (the operator's client) or `own`. */
    mode: 'shared' | 'own'
    /** The id of the owner's client; null if shared. */
    client_id: string | null
    /** Of an `oidc-` provider: scheme and host in lower case, without the default port. */
    issuer: string | null
    /** Its name on the consent page. */
    display_name: string | null
    /**
     * The credentials of the client: its secret, or Apple's private key. Null if shared. Sealed.
     */
    sealed: Uint8Array | null
    /** Where the provider's response arrives: our callback, or a relay of the app. */
    redirect_uri: string
    /** `pending`, `active` or `failing`. */
    status: ProviderStatus
    /** When it was set. */
    created_at: number
    /** The last successful test sign-in of the owner. */
    tested_at: number | null
    /** When it was replaced or removed; null while current. */
    retired_at: number | null
  }
}
