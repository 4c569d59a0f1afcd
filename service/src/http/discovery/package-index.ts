/** What `scripts/packages.ts` packed, as service/packages/index.json. */
export interface PackageIndex {
  /** A hash of the sources, to pack again only after a change. */
  readonly sources: string
  readonly packages: readonly PackageIndexEntry[]
}

export interface PackageIndexEntry {
  /** `sdk` or `local`, as in its URL. */
  readonly name: string
  /** The name that an import uses. */
  readonly package: string
  readonly version: string
  readonly file: string
  /** Subresource integrity, as npm prints and checks it. */
  readonly integrity: string
}
