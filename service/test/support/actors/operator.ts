import { execFile } from 'node:child_process'
import path from 'node:path'

const BIN = path.resolve(import.meta.dirname, '../../../bin/gatehouse.js')

export interface Operated {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** The operator's command, as `npm run gatehouse --` runs it, with these settings and nothing else. */
export const operator = (settings: Readonly<Record<string, string>>, ...words: string[]): Promise<Operated> =>
  new Promise((done) => {
    const env = { PATH: process.env.PATH ?? '', ...settings }
    const child = execFile(process.execPath, [BIN, ...words], { env, encoding: 'utf8' }, (_error, stdout, stderr) =>
      done({ status: child.exitCode ?? 1, stdout, stderr }),
    )
  })
