import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { RESPONSE_LEDGER } from '../../service/test/support/ledger/response-ledger.ts'
import { installSeparately } from '../install-separately.ts'
import { readLine, type TestResult } from './events.ts'
import type { Extent, Group } from './group.ts'

const REPORTER = path.join(import.meta.dirname, 'reporter.ts')
const TIMEOUT_MS = 120_000
/** The last lines of a group's output, shown when its process crashes. */
const OUTPUT_LINES = 60

/** Calls `onResult` as each test finishes. Resolves when the group has ended, also after a crash. */
export async function runGroup(
  group: Group,
  { extent, ledger, onResult }: { extent: Extent; ledger: string; onResult: (result: TestResult) => void },
): Promise<void> {
  let failures = 0
  const report = (result: TestResult): void => {
    if (result.outcome === 'failed') failures += 1
    onResult(result)
  }
  try {
    for (const folder of group.installs ?? []) await installSeparately(folder)
    const { code, printed } = await nodeTest(
      group,
      { ...environment(group, extent), [RESPONSE_LEDGER]: ledger },
      report,
    )
    // A process that crashed or was killed has not reported all tests.
    if (code !== 0 && failures === 0) throw new Error(`its process exited with ${code}\n${printed.join('\n')}`)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    report({ outcome: 'failed', name: `the group ${group.name} completes`, file: '', ms: 0, error: text })
  }
}

/** Variables that make tests skip. A file that is run directly has none of them and skips nothing. */
function environment(group: Group, extent: Extent): Readonly<Record<string, string>> {
  const common = { NODE_COMPILE_CACHE: 'node_modules/.cache/compile' }
  if (extent === 'all') return { ...common, TEST_SKIP: 'long' }
  return { ...common, TEST_SKIP: 'slow,long', ...(group.bothEngines ? {} : { TEST_ENGINES: 'sqlite' }) }
}

async function nodeTest(
  group: Group,
  env: Readonly<Record<string, string>>,
  onResult: (result: TestResult) => void,
): Promise<{ readonly code: number | string; readonly printed: readonly string[] }> {
  const args = [
    '--test',
    `--test-reporter=${REPORTER}`,
    '--test-reporter-destination=stdout',
    `--test-timeout=${group.timeoutMs ?? TIMEOUT_MS}`,
    ...(group.fileByFile ? ['--test-concurrency=1'] : ['--test-isolation=none', '--test-force-exit']),
    ...(group.rulesOnly ? [] : ['--test-global-setup=service/test/support/process/global.ts']),
    ...group.files,
  ]
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: string[] = []
  const keepLine = (line: string): void => {
    if (line === '') return
    printed.push(line)
    if (printed.length > OUTPUT_LINES) printed.shift()
  }
  createInterface({ input: child.stderr }).on('line', keepLine)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const result = readLine(line)
    if (result === null) keepLine(line)
    else onResult(result)
  })
  const [code, signal] = await once(child, 'close')
  return { code: code ?? signal, printed }
}
