import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')

/** Installs a folder that has a lock file of its own, unless what is installed is newer than that file. */
export async function installApart(folder: string): Promise<void> {
  const lock = path.join(ROOT, folder, 'package-lock.json')
  if (changedAt(path.join(ROOT, folder, 'node_modules/.package-lock.json')) > changedAt(lock)) return
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const install = spawn('npm', ['ci', '--prefix', folder, ...quietly], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(install, 'close')
  if (code !== 0) throw new Error(`npm ci in ${folder} ended with ${code}`)
}

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
