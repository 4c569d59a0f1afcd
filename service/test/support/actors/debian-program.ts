import { access, constants, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '../process/run.ts'

export interface Program {
  readonly path: string
  /** The folders of its shared libraries; null for the system's. */
  readonly libraries: string | null
}

export const canUnpackDebian = async (): Promise<boolean> =>
  (await onPath(['apt-get'])) !== null && (await onPath(['dpkg-deb'])) !== null

/** A program of a Debian package, unpacked with its dependencies into the user's cache. `file` is its path in there. */
export async function unpackedDebian(name: string, file: string): Promise<Program> {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'gatehouse', `${name.replace(/-.*/, '')}-debian-${process.arch}`)
  const path = join(folder, file)
  if (!(await isRunnable(path))) await unpack(name, folder, file)

  const libraries = join(folder, 'usr/lib', process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu')
  // A package whose dependencies are all installed brings no libraries.
  if (!(await isPresent(libraries))) return { path, libraries: null }
  const inside = (await readdir(libraries, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  return { path, libraries: [libraries, ...inside.map(({ name }) => join(libraries, name))].join(':') }
}

/**
 * Needs no root and changes nothing on the system: apt resolves, downloads and verifies in a folder of its own, and
 * dpkg-deb only extracts.
 */
async function unpack(name: string, folder: string, file: string): Promise<void> {
  const work = `${folder}.${process.pid}`
  const debs = join(work, 'debs')
  const root = join(work, 'root')
  for (const each of ['lists/partial', 'archives/partial', 'root', 'debs']) {
    await mkdir(join(work, each), { recursive: true })
  }
  const options = [
    `Dir::State::lists=${work}/lists`,
    `Dir::Cache=${work}`,
    `Dir::Cache::archives=${work}/archives`,
    `APT::Sandbox::User=${userInfo().username}`,
    'Debug::NoLocking=1',
    'Acquire::Languages=none',
    'Acquire::Retries=3',
  ].flatMap((option) => ['-o', option])
  const apt = (...args: string[]) => run('apt-get', [...options, '-qq', ...args], { cwd: debs })

  try {
    await apt('update')
    const plan = await apt('install', '-s', '--no-install-recommends', name)
    await apt('download', ...[...plan.matchAll(/^Inst (\S+)/gm)].map(([, each = '']) => each))
    for (const deb of await readdir(debs)) await run('dpkg-deb', ['-x', join(debs, deb), root])
    await mkdir(dirname(folder), { recursive: true })
    await rename(root, folder).catch(async (error: unknown) => {
      // Another test run finished first; its copy is the same.
      if (!(await isRunnable(join(folder, file)))) throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

export async function onPath(names: readonly string[]): Promise<string | null> {
  for (const folder of (process.env.PATH ?? '').split(':')) {
    for (const name of names) if (await isRunnable(join(folder, name))) return join(folder, name)
  }
  return null
}

const isRunnable = (file: string): Promise<boolean> => allows(file, constants.X_OK)

const isPresent = (file: string): Promise<boolean> => allows(file, constants.F_OK)

const allows = (file: string, mode: number): Promise<boolean> =>
  access(file, mode).then(
    () => true,
    () => false,
  )
