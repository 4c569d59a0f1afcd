import { globSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

/** Test files with a name to select them by: `npm test -- storage rules`. */
export interface Group {
  readonly name: string
  readonly files: readonly string[]
  /** A process for each file. The others share one process per core. */
  readonly ownProcess?: true
  /** Its folders and databases are on the disk, whose faults it tests; those of the others are in memory. */
  readonly onDisk?: true
  /** Runs on both engines even in a quick run, which otherwise uses SQLite only. */
  readonly bothEngines?: true
  /** Opens pages in Chromium. */
  readonly chromium?: true
  /** How long one test may take. */
  readonly timeoutMs?: number
  /** Folders with their own lock file, installed before the group starts. */
  readonly installs?: readonly string[]
  /** Runs only if it is named. */
  readonly onRequest?: true
}

const QUICK: readonly Group[] = [
  { name: 'sessions', files: ['service/test/{sessions,limits,tenants}/*.test.ts'] },
  {
    name: 'login',
    files: ['service/test/{accounts,events,login,providers,users,webhooks}/*.test.ts'],
  },
  {
    name: 'storage',
    files: ['service/test/storage/{*,!(move|servers)/*}.test.ts'],
    bothEngines: true,
  },
  { name: 'oauth', files: ['service/test/{issuer,mcp,oauth}/*.test.ts'] },
  { name: 'http', files: ['service/test/http/*.test.ts'] },
  { name: 'smoke', files: ['service/test/browser/sign-in.test.ts'], chromium: true },
  {
    name: 'documents',
    files: [
      'service/test/*.test.ts',
      'service/test/discovery/*.test.ts',
      'service/test/support/**/*.test.ts',
    ],
  },
  {
    name: 'rules',
    files: ['{contract,service}/src/**/*.test.ts', 'scripts/**/*.test.ts'],
  },
]

/** What `npm run test:all` adds. */
const SLOW: readonly Group[] = [
  {
    name: 'faults',
    files: ['service/test/faults/**/*.test.ts', 'workshop/faults/*.test.ts'],
    onDisk: true,
    timeoutMs: 240_000,
  },
  { name: 'process', files: ['service/test/process/*.test.ts'] },
  { name: 'browser', files: ['service/test/browser/*.test.ts'], chromium: true },
  { name: 'console', files: ['service/test/{brand,claims,console,tenants/moderation}/*.test.ts'] },
  { name: 'own-clients', files: ['service/test/providers/{own-clients,stand-ins}/*.test.ts'] },
  { name: 'move', files: ['service/test/storage/move/*.test.ts'] },
  { name: 'servers', files: ['service/test/storage/servers/*.test.ts'] },
  { name: 'local', files: ['local/**/*.test.ts', 'examples/**/*.test.ts'], chromium: true },
  { name: 'sdk', files: ['sdk/test/*.test.ts'], chromium: true },
  {
    name: 'workshop',
    files: ['workshop/*.test.ts', 'workshop/{bench,cluster,mutants,nightly,releases}/**/*.test.ts'],
    installs: ['workshop'],
  },
  {
    name: 'interop',
    files: ['workshop/interop/*.test.ts'],
    ownProcess: true,
    onRequest: true,
    chromium: true,
    timeoutMs: 480_000,
    installs: ['programs', 'platforms', 'databases', 'openid'].map(
      (name) => `workshop/interop/${name}`,
    ),
  },
]

export type Extent = 'quick' | 'all'

export const groupsOf = (extent: Extent): readonly Group[] =>
  extent === 'all' ? [...SLOW, ...QUICK] : QUICK

/** The groups that only `npm run test:all` has. */
export const SLOW_NAMES = SLOW.filter(({ onRequest }) => !onRequest).map(({ name }) => name)

/** The files of the groups, each once and with its first group. */
export function filesOf(
  groups: readonly Group[],
): { readonly file: string; readonly group: Group }[] {
  const known = new Set<string>()
  return groups.flatMap((group) =>
    globSync([...group.files], { cwd: ROOT, exclude: ['**/node_modules/**'] })
      .filter((file) => !known.has(file) && known.add(file))
      .map((file) => ({ file, group })),
  )
}
