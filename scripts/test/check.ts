import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestResult } from './events.ts'

interface Check {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

/**
 * The linter and the type checker, each as one test. A quick run lints only what differs from the last commit: Biome takes
 * as long as a group of tests.
 */
export function checksOf(extent: 'quick' | 'all'): readonly Check[] {
  const files = extent === 'quick' ? changedFiles() : ['.']
  const lint: Check = {
    name: 'Biome reports no problem (fix: npm run format)',
    command: ['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...files],
  }
  return [TYPES, ...(files.length === 0 ? [] : [lint])]
}

const TYPES: Check = {
  name: 'TypeScript reports no error',
  // One thread needs half the CPU time of four. A later run checks only what changed.
  command: [
    'tsc',
    '--noEmit',
    '--singleThreaded',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/tsconfig.tsbuildinfo',
  ],
}

/** The files that differ from the last commit; all of them outside of a repository. */
function changedFiles(): readonly string[] {
  try {
    const git = (...args: string[]): string[] =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split(
        '\0',
      )
    const changed = git('diff', '--name-only', '--diff-filter=d', '-z', 'HEAD')
    const added = git('ls-files', '--others', '--exclude-standard', '-z')
    return [...changed, ...added].filter((file) => file !== '')
  } catch {
    return ['.']
  }
}

export async function runCheck(
  { name, command }: Check,
  onResult: (result: TestResult) => void,
): Promise<void> {
  const began = performance.now()
  const { code, output } = await run(command)
  const result = { name, file: '', ms: performance.now() - began }
  onResult(
    code === 0 ? { ...result, outcome: 'passed' } : { ...result, outcome: 'failed', error: output },
  )
}

async function run([program, ...args]: Check['command']): Promise<{
  code: number
  output: string
}> {
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
