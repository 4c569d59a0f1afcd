import { execFile } from 'node:child_process'
import path from 'node:path'

const BIN = path.resolve(import.meta.dirname, '../../../bin/gatehouse.js')

export interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the operator's command (`npm run gatehouse --`) with these settings as its whole environment. */
export const runOperatorCommand = (
  settings: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<CommandResult> =>
  new Promise((done) => {
    const env = { PATH: process.env.PATH ?? '', ...settings }
    const child = execFile(process.execPath, [BIN, ...words], { env, encoding: 'utf8' }, (_error, stdout, stderr) =>
      done({ status: child.exitCode ?? 1, stdout, stderr }),
    )
  })
