/** Test files that run in one child process, concurrently with other groups. */
export interface Group {
  readonly name: string
  readonly files: readonly string[]
  /** One process per file, sequentially: for tests that start, stop and kill processes. */
  readonly fileByFile?: true
  /** Rule tests need neither PostgreSQL nor Chromium. */
  readonly rulesOnly?: true
  /** Runs on both engines even in a quick run, which otherwise uses SQLite only. */
  readonly bothEngines?: true
  readonly timeoutMs?: number
  /** Folders with their own lock file, installed before the group starts. */
  readonly installs?: readonly string[]
}

/**
 * The groups of `npm test`, longest first. The files of a group share one process, because loading the service takes longer
 * than most files run.
 */
const QUICK: readonly Group[] = [
  { name: 'sessions', files: ['service/test/{sessions,limits,tenants}/*.test.ts'] },
  { name: 'login', files: ['service/test/{login,brand,owners,users-and-events,webhooks,moderation}/**/*.test.ts'] },
  { name: 'storage', files: ['service/test/storage/**/*.test.ts'], bothEngines: true },
  { name: 'oauth', files: ['service/test/oauth/*.test.ts', 'service/test/mcp/*.test.ts'] },
  { name: 'http', files: ['service/test/{http,browser}/*.test.ts'] },
  {
    name: 'documents',
    files: ['service/test/*.test.ts', 'service/test/discovery/*.test.ts', 'service/test/support/**/*.test.ts'],
  },
  {
    name: 'rules',
    files: ['{contract,service}/src/**/*.test.ts', 'bench/*/*.test.ts', 'scripts/mutants/*.test.ts'],
    rulesOnly: true,
  },
]

/** The groups that `npm run test:all` adds. They start first because they take longest. */
const SLOW: readonly Group[] = [
  { name: 'faults', files: ['service/test/faults/**/*.test.ts'], fileByFile: true, timeoutMs: 240_000 },
  {
    name: 'interop',
    files: ['service/test/interop/*.test.ts', 'sdk/test/interop/*.test.ts'],
    fileByFile: true,
    timeoutMs: 480_000,
    installs: ['service/test/interop/programs', 'service/test/interop/platforms'],
  },
  { name: 'process', files: ['service/test/process/*.test.ts'], fileByFile: true },
  { name: 'local', files: ['local/**/*.test.ts', 'examples/**/*.test.ts'], fileByFile: true },
  { name: 'sdk', files: ['sdk/test/*.test.ts'], fileByFile: true },
]

export type Extent = 'quick' | 'all'

export const groupsOf = (extent: Extent): readonly Group[] => (extent === 'all' ? [...SLOW, ...QUICK] : QUICK)
