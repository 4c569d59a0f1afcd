import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestResult } from './events.ts'

interface Check {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

/** The linter and the type checker, each as one test. */
export const checksOf = (extent: 'quick' | 'all'): readonly Check[] => [
  {
    name: 'TypeScript reports no error',
    // One thread needs half the CPU time of four. A later run checks only what changed.
    command: ['tsc', '--noEmit', '--singleThreaded', '--incremental', '--tsBuildInfoFile', BUILD_INFO],
  },
  {
    name: 'Biome reports no problem (fix: npm run format)',
    command: ['biome', 'check', '--error-on-warnings', ...(extent === 'quick' ? WITHOUT_DEAR_RULES : []), '.'],
  },
]

const BUILD_INFO = 'node_modules/.cache/tsconfig.tsbuildinfo'

/** Rules that read other files than the one they check. `npm run check` and `npm run test:all` have them. */
const WITHOUT_DEAR_RULES = [
  '--skip=nursery/noFloatingPromises',
  '--skip=nursery/noMisusedPromises',
  '--skip=suspicious/noImportCycles',
]

export async function runCheck({ name, command }: Check, onResult: (result: TestResult) => void): Promise<void> {
  const began = performance.now()
  const { code, output } = await run(command)
  const result = { name, file: '', ms: performance.now() - began }
  onResult(code === 0 ? { ...result, outcome: 'passed' } : { ...result, outcome: 'failed', error: output })
}

async function run([program, ...args]: Check['command']): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = await once(child, 'close')
  return { code: code ?? 1, output }
}
