import { access, constants, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '../process/run.ts'

export interface Program {
  readonly path: string
  /** The folders of its shared libraries; null for the system's. */
  readonly libraries: string | null
  /** Of another Debian release: the loader of its own C library, which starts the program. */
  readonly loader?: string
}

/** The command and the environment that run a program. */
export function commandOf({ path, libraries, loader }: Program): {
  command: string[]
  env: NodeJS.ProcessEnv
} {
  if (libraries === null) {
    return { command: [path], env: process.env }
  }
  // Not in the environment: a program of this system that it starts would load the libraries of the other release.
  if (loader !== undefined) {
    return { command: [loader, '--library-path', libraries, path], env: process.env }
  }
  return { command: [path], env: { ...process.env, LD_LIBRARY_PATH: libraries } }
}

export const LOADER =
  process.arch === 'arm64' ? 'usr/lib/ld-linux-aarch64.so.1' : 'usr/lib64/ld-linux-x86-64.so.2'

export const canUnpackDebian = async (): Promise<boolean> =>
  (await onPath(['apt-get'])) !== null && (await onPath(['dpkg-deb'])) !== null

/**
 * A program of a Debian package, unpacked with its dependencies into the user's cache. `file` is its path in there. From
 * another release than that of this system it brings all of its dependencies, the C library included.
 */
export async function unpackedDebian(
  name: string,
  file: string,
  release?: string,
): Promise<Program> {
  const folder = await unpackedPackages(name.replace(/-.*/, ''), [name], file, release)
  const path = join(folder, file)
  const folders: string[] = []
  // Some packages of Debian 12 have their libraries in /lib, such as libdbus-1-3.
  for (const parent of ['usr/lib', 'lib']) {
    const libraries = join(
      folder,
      parent,
      process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu',
    )
    if (!(await isPresent(libraries))) {
      continue
    }
    const inside = (await readdir(libraries, { withFileTypes: true })).filter((entry) =>
      entry.isDirectory(),
    )
    folders.push(libraries, ...inside.map(({ name }) => join(libraries, name)))
  }
  // A package whose dependencies are all installed brings no libraries.
  if (folders.length === 0) {
    return { path, libraries: null }
  }
  return {
    path,
    libraries: folders.join(':'),
    ...(release === undefined ? {} : { loader: join(folder, LOADER) }),
  }
}

/** The folder in the user's cache with these packages and their dependencies. It is whole if it has `file`. */
export async function unpackedPackages(
  name: string,
  packages: readonly string[],
  file: string,
  release?: string,
): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const version = release === undefined ? '' : `${release}-`
  const folder = join(cache, 'gatehouse', `${name}-debian-${version}${process.arch}`)
  if (!(await isPresent(join(folder, file)))) {
    await unpack(packages, folder, file, release)
  }
  return folder
}

/**
 * Needs no root and changes nothing on the system: apt resolves, downloads and verifies in a folder of its own, and
 * dpkg-deb only extracts.
 */
async function unpack(
  packages: readonly string[],
  folder: string,
  file: string,
  release: string | undefined,
): Promise<void> {
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
    ...(release === undefined ? [] : await onlyRelease(release, work)),
  ].flatMap((option) => ['-o', option])
  const apt = (...args: string[]) => run('apt-get', [...options, '-qq', ...args], { cwd: debs })

  try {
    await apt('update')
    const plan = await apt('install', '-s', '--no-install-recommends', ...packages)
    await apt('download', ...[...plan.matchAll(/^Inst (\S+)/gm)].map(([, each = '']) => each))
    for (const deb of await readdir(debs)) {
      await run('dpkg-deb', ['-x', join(debs, deb), root])
    }
    await mkdir(dirname(folder), { recursive: true })
    await rename(root, folder).catch(async (error: unknown) => {
      // Another test run finished first; its copy is the same.
      if (!(await isPresent(join(folder, file)))) {
        throw error
      }
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Options of apt for one release, as if nothing were installed. apt verifies its signature with the system's keys. */
async function onlyRelease(release: string, work: string): Promise<readonly string[]> {
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
  await writeFile(
    join(work, 'sources.list'),
    `deb [signed-by=${keys}] http://deb.debian.org/debian ${release} main\n`,
  )
  await writeFile(join(work, 'status'), '')
  return [
    `Dir::Etc::sourcelist=${work}/sources.list`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::status=${work}/status`,
    `Dir::State::extended_states=${work}/extended_states`,
  ]
}

export async function onPath(names: readonly string[]): Promise<string | null> {
  for (const folder of (process.env.PATH ?? '').split(':')) {
    for (const name of names) {
      if (await isRunnable(join(folder, name))) {
        return join(folder, name)
      }
    }
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
