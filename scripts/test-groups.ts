import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { answersSeen, LEDGER } from '../service/test/support/answers-seen.ts'
import { refusalProblems } from '../service/test/support/refusals-produced.ts'

/**
 * The service's tests as a few processes side by side. One process for each file would spend most of its time reading
 * the same code again; one for all of them would wait for every time-out in turn.
 */
const GROUPS = [
  ['service/test/*.test.ts', 'service/test/api/*.test.ts', 'service/test/browser/*.test.ts'],
  ['service/test/storage/*.test.ts', 'service/test/discovery/*.test.ts'],
  ['service/test/journeys/*.test.ts', 'service/test/adversarial/*.test.ts'],
  ['service/test/oauth/*.test.ts', 'service/test/mcp/*.test.ts'],
]

const ARGUMENTS = [
  '--test',
  '--test-isolation=none',
  '--test-force-exit',
  '--test-timeout=120000',
  '--test-global-setup=service/test/support/global.ts',
]

interface Ended {
  readonly code: number
  readonly output: string
}

/** Where every process writes down the kinds of answers it saw. */
const ledger = mkdtempSync(path.join(tmpdir(), 'gatehouse-answers-'))
process.on('exit', () => rmSync(ledger, { recursive: true, force: true }))

function run(files: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...ARGUMENTS, ...files], {
      env: { ...process.env, [LEDGER]: ledger },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

const ended = await Promise.all(GROUPS.map(run))
for (const { output } of ended) process.stdout.write(output)
const passed = ended.every(({ code }) => code === 0)
// A test that failed may not have come to its answers, so there is nothing to conclude from what is missing.
const problems = passed ? refusalProblems(answersSeen(ledger)) : []
if (problems.length > 0) {
  process.stdout.write(`\n✖ errors are documented exactly where tests are answered with them\n`)
  for (const problem of problems) process.stdout.write(`  ${problem}\n`)
}
process.exitCode = passed && problems.length === 0 ? 0 : 1
