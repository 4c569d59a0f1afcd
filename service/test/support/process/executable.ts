import assert from 'node:assert/strict'
import { copyFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { freshFolder } from '../postgres/engines.ts'
import { readmeCommand } from './readme.ts'
import { run } from './run.ts'

const ROOT = path.resolve(import.meta.dirname, '../../../..')

/** Builds the executable of `npm run build:binary`, alone in a folder that lasts as long as the tests of the file. */
export async function buildExecutable(): Promise<string> {
  const folder = await freshFolder()
  await run(process.execPath, [path.join(ROOT, 'scripts/build-binary.ts'), folder], { cwd: ROOT })
  const built = readdirSync(folder).sort()
  assert.deepEqual(built, [built[0], `${built[0]}.licenses.txt`])
  const named = path.basename(readmeCommand('one file'))
  assert.equal(
    built[0],
    named.replace('linux-x64', `${process.platform}-${process.arch}`),
    'as the README names it',
  )
  const executable = path.join(await freshFolder(), 'gatehouse')
  copyFileSync(path.join(folder, built[0] ?? ''), executable)
  return executable
}
