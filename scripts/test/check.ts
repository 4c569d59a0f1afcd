import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestResult } from './events.ts'

/** Reports the linter and the type checker as two test results. */
export async function runCheck(onResult: (result: TestResult) => void): Promise<void> {
  for (const [name, command, ...args] of [
    ['Biome reports no problem (fix: npm run format)', 'biome', 'check', '--error-on-warnings', '.'],
    ['TypeScript reports no error', 'tsc', '--noEmit'],
  ] as const) {
    const began = performance.now()
    const { code, output } = await run(command, args)
    const result = { name, file: '', ms: performance.now() - began }
    onResult(code === 0 ? { ...result, outcome: 'passed' } : { ...result, outcome: 'failed', error: output })
  }
}

async function run(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
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
