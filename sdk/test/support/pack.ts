import { cp, mkdir, readdir, realpath, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { freshFolder } from '../../../service/test/support/postgres/engines.ts'
import { run } from '../../../service/test/support/process/run.ts'
import { ROOT } from './build.ts'

const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter)

/** Packs the tarball as for publishing, from a copy, so that the working tree stays clean. */
export async function packSdk(): Promise<string> {
  const folder = await realpath(await freshFolder())
  const copy = join(folder, 'sdk')
  await mkdir(copy)
  for (const each of ['src', 'package.json', 'README.md', 'LICENSE', 'tsconfig.build.json']) {
    await cp(join(ROOT, 'sdk', each), join(copy, each), { recursive: true })
  }
  const env = { ...process.env, PATH }
  await run('npm', ['pack', '--pack-destination', folder, '--loglevel=error'], { cwd: copy, env })
  return join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '')
}

/** An empty project with the SDK installed from the tarball. */
export async function projectWith(tarball: string): Promise<string> {
  const folder = await realpath(await freshFolder())
  await installSdk(tarball, folder)
  return folder
}

/** Writes a package.json into the folder and installs the SDK from the tarball. */
export async function installSdk(tarball: string, folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const env = { ...process.env, PATH }
  const quietly = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', ...quietly, tarball], { cwd: folder, env })
}
