import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
const DOCUMENT = path.join(ROOT, 'docs/licences.md')

/** What the lock file says of one installed package. */
export interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  /** A text or a list of them: packages do it both ways. */
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
}

/** Every package that comes from a registry, by the name it is installed under. Our own are links. */
export function lockedPackages(root = ROOT): ReadonlyMap<string, LockedPackage> {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  const installed = Object.entries(lock.packages).filter(([at, { link }]) => at.includes('node_modules/') && !link)
  return new Map(installed)
}

export const nameOf = (installedAt: string): string => installedAt.split('node_modules/').at(-1) ?? ''

const HEAD = `# Licenses of our dependencies

Generated from \`package-lock.json\` by \`npm run licences\`; a test fails when it is out of date. *Running*: needed to run the
service, the SDK or the local tool. *Developing*: needed only by their tests and tools. Packages that exist once per platform
are one line.
`

/** The whole document: the licences and how often each occurs, then every package. */
export function licencesDocument(packages: ReadonlyMap<string, LockedPackage>): string {
  const lines = new Map<string, { readonly licence: string; readonly use: string }>()
  for (const [at, { version = '', license = 'none stated', dev = false }] of packages) {
    const line = `${familyOf(nameOf(at))} ${version}`
    const known = lines.get(line)
    lines.set(line, { licence: license, use: dev && known?.use !== 'running' ? 'developing' : 'running' })
  }
  const rows = [...lines].sort(([a], [b]) => (a < b ? -1 : 1))
  const counts = new Map<string, number>()
  for (const [, { licence }] of rows) counts.set(licence, (counts.get(licence) ?? 0) + 1)
  const summary = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return [
    HEAD,
    table(
      ['License', 'Packages'],
      summary.map(([licence, count]) => [licence, String(count)]),
    ),
    table(
      ['Package', 'Version', 'License', 'For'],
      rows.map(([line, { licence, use }]) => [...line.split(' '), licence, use]),
    ),
  ].join('\n')
}

/** `@biomejs/cli-linux-arm64-musl` → `@biomejs/cli-…`. The name says what for, and the licence is the same. */
export const familyOf = (name: string): string =>
  name.replace(
    /((?:^|[/-])(?:bin-)?)(aix|darwin|freebsd|linux|netbsd|openbsd|sunos|win|win32|windows)-[a-z0-9]+(-musl)?$/,
    '$1…',
  )

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')

if (process.argv[1] === import.meta.filename) writeFileSync(DOCUMENT, licencesDocument(lockedPackages()))
