import { execFile } from 'node:child_process'
import { gatehouse } from '../../../src/gatehouse.ts'
import { ENTRY_POINTS } from '../process/entry-points.ts'

export interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

type Settings = Readonly<Record<string, string>>

/** Calls the operator's command in this process, with these settings as its whole environment: as a process, but cheaper. */
export async function callOperatorCommand(
  settings: Settings,
  ...words: string[]
): Promise<CommandResult> {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const collect = (lines: string[]) => ({ write: (text: string): unknown => lines.push(text) })
  const status = await gatehouse(words, settings, {
    stdout: collect(stdout),
    stderr: collect(stderr),
  })
  return { status, stdout: stdout.join(''), stderr: stderr.join('') }
}

/** Runs the operator's command (`npm run gatehouse --`) as a process, with these settings as its whole environment. */
export const runOperatorCommand = (
  settings: Settings,
  ...words: string[]
): Promise<CommandResult> => runCommandFile(ENTRY_POINTS.command, settings, words)

/** Runs the operator's command of this build. */
export const runCommandFile = (
  file: string,
  settings: Settings,
  words: readonly string[],
): Promise<CommandResult> =>
  new Promise((done) => {
    const env = { PATH: process.env.PATH ?? '', ...settings }
    const child = execFile(
      process.execPath,
      [file, ...words],
      { env, encoding: 'utf8' },
      (_error, stdout, stderr) => done({ status: child.exitCode ?? 1, stdout, stderr }),
    )
  })
