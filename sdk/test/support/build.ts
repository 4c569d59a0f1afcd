import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { freshFolder } from '../../../service/test/support/postgres/engines.ts'

export const ROOT = join(import.meta.dirname, '../../..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** Unlike other programs, the compiler complains on stdout. */
export const tsc = (...args: readonly string[]): Promise<void> =>
  new Promise((done, failed) => {
    execFile(process.execPath, [TSC, ...args], (error, stdout) => (error ? failed(new Error(stdout)) : done()))
  })

/** The SDK as it is published, in a folder that goes away by itself. */
export async function buildSdk(): Promise<string> {
  const folder = join(await freshFolder(), 'dist')
  await tsc('-p', join(ROOT, 'sdk/tsconfig.build.json'), '--outDir', folder)
  return folder
}
