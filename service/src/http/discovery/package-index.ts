import { createHash } from 'node:crypto'
import { readInstalled } from '../../folders.ts'
import { addToTarball } from './add-to-tarball.ts'
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
export async function readPackages(baseUrl: string): Promise<readonly PackedPackage[]> {
  const packages = readIndex()?.packages ?? []
  return Promise.all(packages.map((entry) => readPackage(entry, baseUrl)))
}

async function readPackage(entry: PackageIndexEntry, baseUrl: string): Promise<PackedPackage> {
  const packed = readInstalled('packages', entry.file)
  if (entry.name !== 'local') {
    return { entry, content: tarball(packed, entry.integrity) }
  }

  // The tools tell their user's service by this file. npm doesn't note where a global installation came from, and other
  // installers nothing at all.
  const text = `${JSON.stringify({ base_url: baseUrl })}\n`
  const body = await addToTarball(packed, 'package/service.json', text)
  const integrity = `sha512-${createHash('sha512').update(body).digest('base64')}`
  const shasum = createHash('sha1').update(body).digest('hex')
  return { entry: { ...entry, integrity, shasum }, content: tarball(body, integrity) }
}

const tarball = (body: Uint8Array<ArrayBuffer>, integrity: string): Published => ({
  body,
  contentType: 'application/gzip',
  etag: `"${integrity}"`,
})

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
