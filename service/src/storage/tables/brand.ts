/** Row types of brand; see tables.ts. */

import type { Accent, DomainMethod, DomainStatus } from '@gatehouse-auth/contract'
import type { TenantId } from '../../domain/ids.ts'

export interface BrandTables {
  domains: {
    tenant_id: TenantId
    /** In lower case and Punycode; with a port only for an app on the same machine. */
    host: string
    /** `pending`, `verified` or `lapsed`. */
    status: DomainStatus
    /** How it was found last: `dns` or `file`; otherwise null. */
    method: DomainMethod | null
    /** Since when it is verified, or was until it lapsed. */
    verified_at: number | null
    /** The last check that found it, or the last weekly one. */
    checked_at: number | null
    /**
     * When the sweep checks it next; during a check, until when one process does. Null unless
     * verified.
     */
    next_check_at: number | null
    /** Weekly checks in a row that did not find it. */
    misses: number
    /** When it was added. */
    created_at: number
  }
  brands: {
    tenant_id: TenantId
    /** In NFKC; one script, no imitation of a well-known brand. */
    name: string
    /** The app's privacy policy, on a domain that was verified when it was set; null: none. */
    privacy_url: string | null
    /** The app's terms, likewise. */
    terms_url: string | null
    /** The color of the Continue button, one of eight; null: ours. */
    accent: Accent | null
    /** When it was set. */
    updated_at: number
  }
  /** Apart from the brand, which every consent page reads. */
  logos: {
    tenant_id: TenantId
    /** SHA-256 of the picture, in its URL. */
    hash: string
    /** Width and height in pixels. */
    size: number
    /** At most 64 KiB: header, palette, transparency, pixels and end of the uploaded file. */
    png: Uint8Array
    /** When it was uploaded. */
    updated_at: number
  }
}
