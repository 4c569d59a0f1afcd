import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { lstat, open, readFile, rm, truncate } from 'node:fs/promises'
import path from 'node:path'
import { CREDENTIALS_FILENAME } from '@gatehouse-auth/contract'
import { nextStep, Problem } from '../problem.ts'

/** The app secret, the secrets of webhooks, and the temporary files of a creation. */
const OTHERS = `${CREDENTIALS_FILENAME}.*`
export const ENTRIES: readonly string[] = [CREDENTIALS_FILENAME, OTHERS]

/**
 * Called before the credentials are written. Also in a project without git, which may become a repository later. Returns
 * a function that takes the entries out again, for a creation that wrote nothing.
 */
export async function ignoreCredentials(
  root: string,
  more: readonly string[] = [],
): Promise<() => Promise<void>> {
  const file = path.join(root, '.gitignore')
  const before = await readIgnore(file)
  const text = before ?? ''
  const missing = [...ENTRIES, ...more].filter((entry) => !lists(text, entry))
  if (missing.length === 0) {
    return async () => {}
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' || text.endsWith('\n') ? '' : eol
  const addition = `${gap}${['# Credentials: never to be committed.', ...missing].join(eol)}${eol}`
  try {
    // A single append does not overwrite a concurrent edit.
    const flags =
      constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
    const handle = await open(file, flags, 0o644)
    try {
      await handle.writeFile(addition)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw unusable(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`, error)
  }
  return () => restore(file, before, addition)
}

/** Leaves a file that another program changed meanwhile as it is. */
async function restore(file: string, before: string | null, addition: string): Promise<void> {
  if ((await readIgnore(file)) !== `${before ?? ''}${addition}`) {
    return
  }
  await (before === null ? rm(file) : truncate(file, Buffer.byteLength(before)))
}

/** True if git does not commit this file of ours: .gitignore has its entry, or git ignores it for another reason. */
export async function isIgnored(root: string, name: string): Promise<boolean> {
  const text = await readIgnore(path.join(root, '.gitignore')).catch(() => null)
  return lists(text ?? '', entryOf(name)) || (await git(root, ['check-ignore', '-q', name]))
}

/** The entry of .gitignore that covers the file. */
export const entryOf = (name: string): string =>
  name.startsWith(`${CREDENTIALS_FILENAME}.`) ? OTHERS : name

/** git commits a tracked file, whatever .gitignore says. */
export const isTracked = (root: string, name: string): Promise<boolean> =>
  git(root, ['ls-files', '--error-unmatch', name])

/** True when git is installed and the command exits with 0. */
export const git = (root: string, args: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile('git', ['-C', root, ...args], { timeout: 5_000 }, (error) => resolve(error === null))
  })

async function readIgnore(file: string): Promise<string | null> {
  const stats = await lstat(file).catch(() => null)
  if (stats === null) {
    return null
  }
  // git does not follow a symbolic link here, and writing to one would change another file.
  if (!stats.isFile()) {
    throw unusable(`${file} is not a regular file.`)
  }
  return readFile(file, 'utf8')
}

/** The last matching line decides, as in git. Counts only lines that name the entry; other patterns may change. */
function lists(text: string, entry: string): boolean {
  const matching = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.replace(/^!/, '').replace(/^(\*\*)?\//, '') === entry)
  return matching.at(-1)?.startsWith('!') === false
}

const unusable = (message: string, cause?: unknown): Problem =>
  new Problem(
    'notWritable',
    message,
    nextStep('Add .service and .service.* to .gitignore yourself, then try again.'),
    {
      cause,
    },
  )
