import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
const DOCUMENT = path.join(ROOT, 'docs/licenses.md')

/** A package's entry in the lock file. */
export interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  /** Packages use a string or a list. */
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
}

/** Every package from a registry, by its path in node_modules. Workspace packages are links. */
export function lockedPackages(root = ROOT): ReadonlyMap<string, LockedPackage> {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  const installed = Object.entries(lock.packages).filter(
    ([at, { link }]) => at.includes('node_modules/') && !link,
  )
  return new Map(installed)
}

export const nameOf = (installedAt: string): string =>
  installedAt.split('node_modules/').at(-1) ?? ''

const HEAD = `# Licenses of our dependencies

Generated from \`package-lock.json\` by \`npm run licenses\`; a test fails when it is out of date. *Running*: needed to run the
service, the SDK or the local tool. *Developing*: needed only by their tests and tools. Packages that exist once per platform
are one line.
`

/** The document: how often each license occurs, then every package. */
export function licensesDocument(packages: ReadonlyMap<string, LockedPackage>): string {
  const lines = new Map<string, { readonly license: string; readonly use: string }>()
  for (const [at, { version = '', license = 'none stated', dev = false }] of packages) {
    const line = `${familyOf(nameOf(at))} ${version}`
    const known = lines.get(line)
    lines.set(line, { license, use: dev && known?.use !== 'running' ? 'developing' : 'running' })
  }
  const rows = [...lines].sort(([a], [b]) => (a < b ? -1 : 1))
  const counts = new Map<string, number>()
  for (const [, { license }] of rows) {
    counts.set(license, (counts.get(license) ?? 0) + 1)
  }
  const summary = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return [
    HEAD,
    table(
      ['License', 'Packages'],
      summary.map(([license, count]) => [license, String(count)]),
    ),
    table(
      ['Package', 'Version', 'License', 'For'],
      rows.map(([line, { license, use }]) => [...line.split(' '), license, use]),
    ),
  ].join('\n')
}

/** `@biomejs/cli-linux-arm64-musl` → `@biomejs/cli-…`. Platform packages of one name have the same license. */
export const familyOf = (name: string): string =>
  name.replace(
    /((?:^|[/-])(?:bin-)?)(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win|win32|windows)-[a-z0-9]+(-musl)?$/,
    '$1…',
  )

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')

if (process.argv[1] === import.meta.filename) {
  writeFileSync(DOCUMENT, licensesDocument(lockedPackages()))
}
