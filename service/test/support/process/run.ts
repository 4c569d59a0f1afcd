import { type ExecFileOptions, execFile } from 'node:child_process'

/** Runs a program to its end and returns what it printed. What it complained about is in the error. */
export const run = (program: string, args: readonly string[], options: ExecFileOptions = {}): Promise<string> =>
  new Promise((done, failed) => {
    execFile(program, args, { maxBuffer: 64 * 1024 * 1024, ...options, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error) failed(new Error(`${program} failed: ${stderr.trim() || error.message}`, { cause: error }))
      else done(stdout)
    })
  })
