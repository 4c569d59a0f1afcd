import { execFile } from 'node:child_process'
import { ENTRY_POINTS } from '../process/entry-points.ts'

export interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

type Settings = Readonly<Record<string, string>>

/** Runs the operator's command (`npm run gatehouse --`) with these settings as its whole environment. */
export const runOperatorCommand = (settings: Settings, ...words: string[]): Promise<CommandResult> =>
  runCommandFile(ENTRY_POINTS.command, settings, words)

/** Runs the operator's command of this build. */
export const runCommandFile = (file: string, settings: Settings, words: readonly string[]): Promise<CommandResult> =>
  new Promise((done) => {
    const env = { PATH: process.env.PATH ?? '', ...settings }
    const child = execFile(process.execPath, [file, ...words], { env, encoding: 'utf8' }, (_error, stdout, stderr) =>
      done({ status: child.exitCode ?? 1, stdout, stderr }),
    )
  })
