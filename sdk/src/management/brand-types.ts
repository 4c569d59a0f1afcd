/** The color of the Continue button; null: the color of the service. */
export type Accent = 'gray' | 'blue' | 'indigo' | 'purple' | 'pink' | 'red' | 'orange' | 'green' | null

/** The whole brand: a field that is absent is null. */
export interface BrandSettings {
  readonly name: string
  /** An https URL on a verified domain. */
  readonly privacy_url?: string | null | undefined
  readonly terms_url?: string | null | undefined
  readonly accent?: Accent | undefined
}

/** What the consent page shows of your app, besides its host. */
export interface Brand {
  readonly name: string
  readonly privacy_url: string | null
  readonly terms_url: string | null
  readonly accent: Accent
  /** null: the first letters of the name are shown. */
  readonly logo: { readonly url: string; readonly size: number } | null
  /** The hosts of your callback URLs on which the brand is shown: those with a verified domain. */
  readonly shown_on: readonly string[]
}

/** A domain, what verifies it, and whether it is verified. Times are ISO 8601. */
export interface Domain {
  readonly host: string
  readonly registrable_domain: string | null
  /** `lapsed`: it was verified, and two weekly checks in a row did not find it. */
  readonly status: 'pending' | 'verified' | 'lapsed'
  /** `dns` covers the registrable domain and all its hosts, `file` this host only. */
  readonly method: 'dns' | 'file' | null
  /** The DNS record to add; null for this computer. */
  readonly dns: { readonly type: 'TXT'; readonly name: string; readonly value: string } | null
  /** Or the file to serve. */
  readonly file: { readonly url: string; readonly content: string }
  readonly verified_at: string | null
  readonly checked_at: string | null
  readonly next_check_at: string | null
  readonly missed_checks: number
  readonly created_at: string
}

/** `other`: a record or a file without your value. `absent`: none could be read. */
type Proof = 'found' | 'other' | 'absent'

export interface DomainCheck {
  readonly domain: Domain
  readonly found: { readonly dns: Proof; readonly file: Proof }
}

/** A user who asked that their data is removed. */
export interface RemovalRequest {
  readonly user_id: number
  readonly email: string
  readonly requested_at: string
  /** When the service deletes the user, unless you delete them before. */
  readonly due_at: string
}
