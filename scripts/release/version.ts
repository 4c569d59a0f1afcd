// What a release changes in files, as functions of their text.

/** `## 0.2.0, unreleased` gets the date. Throws with what to write if the section is missing or has no text. */
export function datedChangelog(changelog: string, version: string, date: string): string {
  const heading = `## ${version}, unreleased`
  const [, section] = changelog.split(`\n${heading}\n`)
  if (section === undefined) {
    throw new Error(
      `CHANGELOG.md has no section "${heading}". Write what changed for callers of the API.`,
    )
  }
  if (section.split('\n## ')[0]?.trim() === '') {
    throw new Error(`The section "${heading}" of CHANGELOG.md is empty.`)
  }
  return changelog.replace(heading, `## ${version}, ${date}`)
}

/** The section of a version, for the text of the release. */
export const changelogSection = (changelog: string, version: string): string =>
  changelog
    .split(new RegExp(`^## ${version.replaceAll('.', '\\.')}, .*$`, 'm'))[1]
    ?.split('\n## ')[0]
    ?.trim() ?? ''

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const OWN = '@gatehouse-auth/'

/** A package.json with this version, also of our own packages that it depends on. */
export function withVersion<T extends Manifest>(manifest: T, version: string): T {
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(([name, range]) => [
    name,
    name.startsWith(OWN) ? version : range,
  ])
  return {
    ...manifest,
    version,
    ...(manifest.dependencies && { dependencies: Object.fromEntries(dependencies) }),
  }
}

interface LockFile {
  readonly version: string
  readonly packages: Readonly<Record<string, Manifest>>
}

/** The lock file, with the versions of the packages in these folders; the root is the empty name. */
export function lockWithVersion<T extends LockFile>(
  lock: T,
  folders: readonly string[],
  version: string,
): T {
  const packages = Object.entries(lock.packages).map(([folder, entry]) => [
    folder,
    folders.includes(folder) ? withVersion(entry, version) : entry,
  ])
  return { ...lock, version, packages: Object.fromEntries(packages) }
}

/** Documents name files and images of the current version. Other programs have versions, too, so only after these words. */
export const documentWithVersion = (text: string, from: string, to: string): string =>
  text.replaceAll(
    new RegExp(
      `\\b(gatehouse[-:]|gatehouse-auth-|sdk-|local-|Gatehouse )${from.replaceAll('.', '\\.')}\\b`,
      'g',
    ),
    `$1${to}`,
  )
