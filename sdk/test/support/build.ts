import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { freshFolder } from '../../../service/test/support/postgres/engines.ts'

export const ROOT = join(import.meta.dirname, '../../..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** The compiler writes its errors to stdout. */
export const tsc = (...args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [TSC, ...args], (error, stdout) =>
      error ? reject(new Error(stdout)) : resolve(),
    )
  })

/** Compiles the SDK as for publishing, into a temporary folder. */
export async function buildSdk(): Promise<string> {
  const folder = join(await freshFolder(), 'dist')
  await tsc('-p', join(ROOT, 'sdk/tsconfig.build.json'), '--outDir', folder)
  return folder
}
