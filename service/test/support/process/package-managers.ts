import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { run } from './run.ts'

const CACHE = path.resolve(import.meta.dirname, '../../../../node_modules/.cache/package-managers')

/**
 * The folder with the commands of a package manager, from the npm registry, installed once for each machine. Fails where the
 * registry does not have it.
 */
export async function commandsOf(name: string, version: string): Promise<string> {
  const folder = path.join(CACHE, `${name.replace('/', '-')}-${version}`)
  const commands = path.join(folder, 'node_modules/.bin')
  if (existsSync(folder)) {
    return commands
  }

  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  await run('npm', ['install', ...options, '--prefix', unfinished, `${name}@${version}`])
  if (name === 'bun') {
    await run(process.execPath, [path.join(unfinished, 'node_modules/bun/install.js')])
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinished, folder)
  return commands
}
