import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestResult } from './events.ts'

/** Format, lint and types as two results among those of the tests. */
export async function runCheck(onResult: (result: TestResult) => void): Promise<void> {
  for (const [name, command, ...args] of [
    ['Biome finds nothing to mend (npm run format)', 'biome', 'check', '--error-on-warnings', '.'],
    ['the types fit', 'tsc', '--noEmit'],
  ] as const) {
    const began = performance.now()
    const { code, output } = await ended(command, args)
    const result = { name, file: '', ms: performance.now() - began }
    onResult(code === 0 ? { ...result, outcome: 'passed' } : { ...result, outcome: 'failed', error: output })
  }
}

async function ended(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = await once(child, 'close')
  return { code: code ?? 1, output }
}
