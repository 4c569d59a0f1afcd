import { readInstalled } from '../../folders.ts'
import type { Published } from './publish.ts'

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
  /** SHA-1 in hexadecimal digits, which installers of before 2017 check. */
  readonly shasum: string
  /** Its package.json, without what only its developers run. */
  readonly manifest: Readonly<Record<string, unknown>>
}

export interface PackedPackage {
  readonly entry: PackageIndexEntry
  readonly content: Published
}

/** Empty if nothing was packed: an instance that was started without `npm start` or its image's packages. */
export function readPackages(): readonly PackedPackage[] {
  const index = readIndex()
  if (index === null) {
    return []
  }

  return index.packages.map((entry) => {
    const body = readInstalled('packages', entry.file)
    return {
      entry,
      content: { body, contentType: 'application/gzip', etag: `"${entry.integrity}"` },
    }
  })
}

function readIndex(): PackageIndex | null {
  try {
    return JSON.parse(readInstalled('packages', 'index.json').toString()) as PackageIndex
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null
    }
    throw error
  }
}
