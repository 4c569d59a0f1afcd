import { constants } from 'node:fs'
import { lstat, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { CREDENTIALS_FILENAME } from '@gatehouse/contract'
import { either, Problem } from '../problem.ts'

/** The file itself, and what stands beside it for a moment while it is made. */
const ENTRIES = [CREDENTIALS_FILENAME, `${CREDENTIALS_FILENAME}.*`]

/** Makes sure that git leaves the credentials alone, before there are any. A project without git may get one later. */
export async function ignoreCredentials(root: string): Promise<void> {
  const file = path.join(root, '.gitignore')
  const text = await readIgnore(file)
  const lacking = ENTRIES.filter((entry) => !lists(text, entry))
  if (lacking.length === 0) return
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' || text.endsWith('\n') ? '' : eol
  const addition = `${gap}${['# Credentials: never to be committed.', ...lacking].join(eol)}${eol}`
  try {
    // One write at the end: whatever an editor does meanwhile, nothing of it is lost.
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
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
}

export async function isIgnored(root: string): Promise<boolean> {
  return lists(await readIgnore(path.join(root, '.gitignore')), CREDENTIALS_FILENAME)
}

async function readIgnore(file: string): Promise<string> {
  const stats = await lstat(file).catch(() => null)
  if (stats === null) return ''
  // git does not read a linked .gitignore either, and writing to one would change some other file.
  if (!stats.isFile()) throw unusable(`${file} is not a regular file.`)
  return readFile(file, 'utf8')
}

/** The last line about it decides, as it does for git. Only lines that name it: a pattern that happens to match is luck. */
function lists(text: string, entry: string): boolean {
  const about = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.replace(/^!/, '').replace(/^(\*\*)?\//, '') === entry)
  return about.at(-1)?.startsWith('!') === false
}

const unusable = (message: string, cause?: unknown): Problem =>
  new Problem('notWritable', message, either('Add .service and .service.* to .gitignore yourself, then try again.'), {
    cause,
  })
