import { spawn } from 'node:child_process'
import { once } from 'node:events'

const TIMEOUT_MS = 120_000

export interface TestRun {
  readonly passed: boolean
  /** Whether any test ran to a verdict. A file that doesn't load proves nothing. */
  readonly ran: boolean
  readonly output: string
}

export async function runTests(folder: string, files: readonly string[], postgres: boolean): Promise<TestRun> {
  const setup = postgres ? ['--test-global-setup=service/test/support/process/global.ts'] : []
  const common = ['--test', '--test-isolation=none', '--test-force-exit', `--test-timeout=${TIMEOUT_MS}`]
  const child = spawn(process.execPath, [...common, ...setup, ...files], {
    cwd: folder,
    env: { ...process.env, ...(postgres ? {} : { TEST_ENGINES: 'sqlite' }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code] = await once(child, 'close')
  const output = Buffer.concat(chunks).toString()
  return { passed: code === 0, ran: /^. (pass|fail) [1-9]/m.test(output) && !output.includes('SyntaxError'), output }
}
