import { constants } from 'node:fs'
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises'
import { either, Problem } from '../problem.ts'
import { credentialsPath, draftPath } from './files.ts'
import { readCredentialsAt } from './read.ts'

/** A file without a name yet, opened before anything is created: a folder that cannot be written to is found out first. */
export interface Draft {
  /** Writes the content, as it is, and gives it its name, unless something has that name already. */
  place(content: string): Promise<void>
  discard(): Promise<void>
}

export async function openDraft(root: string): Promise<Draft> {
  const draft = draftPath(root)
  // O_EXCL also refuses a link that somebody put there.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  const file = await open(draft, flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    throw notWritable(root, error)
  })
  let isOpen = true
  const close = async (): Promise<void> => {
    if (isOpen) await file.close()
    isOpen = false
  }
  return {
    async place(content) {
      await writeWhole(file, content).catch((error: NodeJS.ErrnoException) => {
        throw notWritable(root, error)
      })
      await close()
      await nameDraft(root)
    },
    async discard() {
      await close()
      await rm(draft, { force: true })
    },
  }
}

/**
 * A creation that was killed at the last moment left its credentials in the draft: they get their name now. Half of a
 * file is of no use to anybody.
 */
export async function finishDraft(root: string): Promise<void> {
  const draft = draftPath(root)
  try {
    if ((await readCredentialsAt(draft)) !== null) await nameDraft(root)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'credentialsUnreadable') throw error
    await rm(draft, { force: true })
  }
}

async function writeWhole(file: FileHandle, content: string): Promise<void> {
  await file.chmod(0o600)
  await file.writeFile(content)
  await file.sync()
}

/** A link, not a rename: a rename would silently replace a file that somebody else wrote a moment ago. */
async function nameDraft(root: string): Promise<void> {
  const [draft, target] = [draftPath(root), credentialsPath(root)]
  try {
    await link(draft, target)
    await rm(draft)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw meanwhile(root)
    // A file system without links. We hold the lock, so only a program that does not know it could come between.
    if ((await lstat(target).catch(() => null)) !== null) throw meanwhile(root)
    await rename(draft, target)
  }
  await syncFolder(root)
}

/** So that the name survives a power cut too. Not every system lets one open a folder. */
async function syncFolder(root: string): Promise<void> {
  try {
    const folder = await open(root, 'r')
    await folder.sync().finally(() => folder.close())
  } catch {}
}

const meanwhile = (root: string): Problem =>
  new Problem(
    'credentialsForeign',
    `Another program wrote ${credentialsPath(root)} in the meantime. It was not overwritten; the new tenant's credentials are in ${draftPath(root)}.`,
    either('Decide which of the two to keep as .service, and move the other away.'),
  )

export const notWritable = (root: string, error: NodeJS.ErrnoException): Problem =>
  new Problem(
    'notWritable',
    `${root} cannot be written to (${error.code}).`,
    either('Make the folder writable, or free some space, and try again.'),
    { cause: error },
  )
