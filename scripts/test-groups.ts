import { spawn } from 'node:child_process'

/**
 * The service's tests as a few processes side by side. One process for each file would spend most of its time reading
 * the same code again; one for all of them would wait for every time-out in turn.
 */
const GROUPS = [
  ['service/test/*.test.ts', 'service/test/api/*.test.ts', 'service/test/browser/*.test.ts'],
  ['service/test/storage/*.test.ts', 'service/test/discovery/*.test.ts'],
  ['service/test/journeys/*.test.ts'],
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

function run(files: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...ARGUMENTS, ...files], { stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

const ended = await Promise.all(GROUPS.map(run))
for (const { output } of ended) process.stdout.write(output)
process.exitCode = ended.every(({ code }) => code === 0) ? 0 : 1
