import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises'
import { nextStep, Problem } from '../problem.ts'
import { credentialsPath, draftPath, pendingPath } from './paths.ts'
import { readPrivate, writePrivate } from './private-files.ts'
import { readCredentialsAt } from './project.ts'

/** A temporary credentials file. Opened before the tenant is created, so that an unwritable folder fails first. */
interface Draft {
  /** Writes the content verbatim and renames the file to .service, unless that already exists. */
  publish(content: string): Promise<void>
  discard(): Promise<void>
}

export async function openDraft(root: string): Promise<Draft> {
  const draft = draftPath(root)
  // O_EXCL fails if the path exists, also as a symbolic link.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  const file = await open(draft, flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    throw notWritable(root, error)
  })
  let isOpen = true
  const close = async (): Promise<void> => {
    if (isOpen) {
      await file.close()
    }
    isOpen = false
  }
  return {
    async publish(content) {
      await writeAndSync(file, content).catch((error: NodeJS.ErrnoException) => {
        throw notWritable(root, error)
      })
      await close()
      await renameDraft(root)
    },
    async discard() {
      await close()
      await rm(draft, { force: true })
    },
  }
}

/**
 * Completes a creation that was interrupted after its response: renames a complete draft to .service and removes an
 * incomplete one.
 */
export async function finishDraft(root: string): Promise<void> {
  const draft = draftPath(root)
  try {
    if ((await readCredentialsAt(draft)) !== null) {
      await renameDraft(root)
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'credentialsUnreadable') {
      throw error
    }
    await rm(draft, { force: true })
  }
}

async function writeAndSync(file: FileHandle, content: string): Promise<void> {
  await file.chmod(0o600)
  await file.writeFile(content)
  await file.sync()
}

/** Uses link(2), which fails if .service exists; rename(2) would replace it. */
async function renameDraft(root: string): Promise<void> {
  const [draft, target] = [draftPath(root), credentialsPath(root)]
  try {
    await link(draft, target)
    await rm(draft)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw alreadyWritten(root)
    }
    // The file system has no hard links. Only a program that ignores the lock can write .service before the rename.
    if ((await lstat(target).catch(() => null)) !== null) {
      throw alreadyWritten(root)
    }
    await rename(draft, target)
  }
  await syncFolder(root)
}

/** Makes the rename durable. Not every platform can open a folder. */
async function syncFolder(root: string): Promise<void> {
  try {
    const folder = await open(root, 'r')
    await folder.sync().finally(() => folder.close())
  } catch {}
}

const alreadyWritten = (root: string): Problem =>
  new Problem(
    'credentialsForeign',
    `Another program wrote ${credentialsPath(root)} during the creation. It was not overwritten; the new tenant's credentials are in ${draftPath(root)}.`,
    nextStep('Keep one of the two as .service and rename the other.'),
  )

/** `target`: a file or a folder. */
export const notWritable = (target: string, error: NodeJS.ErrnoException): Problem =>
  new Problem(
    'notWritable',
    `${target} cannot be written to (${error.code}).`,
    nextStep('Make it writable, or free disk space, and try again.'),
    { cause: error },
  )

/** A creation for an account whose outcome is unknown. */
interface Pending {
  readonly service: string
  readonly idempotencyKey: string
}

/**
 * The idempotency key of this project's creation: the key of an earlier creation with unknown outcome, or a new one. It is
 * stored before it is sent, so that a retry after a lost response gets the same tenant instead of a second one.
 */
export async function pendingCreation(root: string, service: string): Promise<Pending> {
  const known = await readPending(root)
  if (known?.service === service) {
    return known
  }
  const pending = { service, idempotencyKey: randomBytes(18).toString('base64url') }
  await writePrivate(pendingPath(root), `${JSON.stringify(pending)}\n`)
  return pending
}

async function readPending(root: string): Promise<Pending | null> {
  const read = await readPrivate(pendingPath(root))
  if (read.kind !== 'text') {
    return null
  }
  try {
    const { service, idempotencyKey } = JSON.parse(read.text)
    const isComplete = [service, idempotencyKey].every((field) => typeof field === 'string')
    return isComplete && /^[A-Za-z0-9_-]{8,128}$/.test(idempotencyKey)
      ? { service, idempotencyKey }
      : null
  } catch {
    return null
  }
}

export const removePending = (root: string): Promise<void> => rm(pendingPath(root), { force: true })
