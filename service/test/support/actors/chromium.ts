import { access, constants, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { run } from '../process/run.ts'

export interface Chromium {
  readonly path: string
  /** The folders of its shared libraries; null for the system's. */
  readonly libraries: string | null
}

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Chromium requests nothing but the pages under test. */
const ARGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--no-first-run',
  // Chromium's sandbox does not start as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** Launches the browser that `process/global.ts` found. */
export async function launchChromium(): Promise<Browser> {
  const { CHROMIUM_PATH, CHROMIUM_LIBRARIES, CHROMIUM_MISSING } = process.env
  if (!CHROMIUM_PATH)
    throw new Error(CHROMIUM_MISSING ?? 'Run with --test-global-setup=service/test/support/process/global.ts')
  const environment = { ...process.env, ...(CHROMIUM_LIBRARIES ? { LD_LIBRARY_PATH: CHROMIUM_LIBRARIES } : {}) }
  const env = Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => !!entry[1]))
  return chromium.launch({ executablePath: CHROMIUM_PATH, args: ARGS, env })
}

/** $CHROMIUM_PATH, a browser on the PATH, or Debian's package, unpacked into the user's cache. */
export async function findChromium(): Promise<Chromium> {
  const installed = process.env.CHROMIUM_PATH ?? (await onPath(NAMES))
  if (installed) return { path: installed, libraries: process.env.CHROMIUM_LIBRARIES ?? null }
  if ((await onPath(['apt-get'])) && (await onPath(['dpkg-deb']))) return fromDebian()
  throw new Error('There is no Chromium here. Install one, or set CHROMIUM_PATH to a Chromium or Chrome.')
}

async function fromDebian(): Promise<Chromium> {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'gatehouse', `chromium-debian-${process.arch}`)
  const path = join(folder, 'usr/lib/chromium/chromium-headless-shell')
  if (!(await isRunnable(path))) await unpack(folder)

  const libraries = join(folder, 'usr/lib', process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu')
  const inside = (await readdir(libraries, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  return { path, libraries: [libraries, ...inside.map(({ name }) => join(libraries, name))].join(':') }
}

/**
 * Needs no root and changes nothing on the system: apt resolves, downloads and verifies in a folder of its own, and
 * dpkg-deb only extracts.
 */
async function unpack(folder: string): Promise<void> {
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
    const plan = await apt('install', '-s', '--no-install-recommends', 'chromium-headless-shell')
    await apt('download', ...[...plan.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name))
    for (const deb of await readdir(debs)) await run('dpkg-deb', ['-x', join(debs, deb), root])
    await mkdir(dirname(folder), { recursive: true })
    await rename(root, folder).catch(async (error: unknown) => {
      // Another test run finished first; its copy is the same.
      if (!(await isRunnable(join(folder, 'usr/lib/chromium/chromium-headless-shell')))) throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function onPath(names: readonly string[]): Promise<string | null> {
  for (const folder of (process.env.PATH ?? '').split(':')) {
    for (const name of names) if (await isRunnable(join(folder, name))) return join(folder, name)
  }
  return null
}

const isRunnable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
