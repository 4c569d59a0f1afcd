import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')

/** Installs a folder with its own lock file, unless the installed packages are newer than the lock file. */
export async function installSeparately(folder: string): Promise<void> {
  const lock = path.join(ROOT, folder, 'package-lock.json')
  if (modifiedAt(path.join(ROOT, folder, 'node_modules/.package-lock.json')) > modifiedAt(lock)) {
    return
  }
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const install = spawn('npm', ['ci', '--prefix', folder, ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(install, 'close')
  if (code !== 0) {
    throw new Error(`npm ci in ${folder} exited with ${code}`)
  }
}

const modifiedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
