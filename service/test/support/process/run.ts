import { type ExecFileOptions, execFile } from 'node:child_process'

/** Runs a program and returns its standard output. If it fails, the error contains its standard error. */
export const run = (
  program: string,
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { maxBuffer: 64 * 1024 * 1024, ...options, encoding: 'utf8' },
      (error, stdout, stderr) => {
        if (error) {
          reject(
            new Error(`${program} failed: ${stderr.trim() || error.message}`, { cause: error }),
          )
        } else {
          resolve(stdout)
        }
      },
    )
  })
