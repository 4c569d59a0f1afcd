import { readCredentialsFile } from '@gatehouse/contract'
import { notUnderstood } from '../api/wrong-service.ts'
import { credentialsPath, lockPath } from '../credentials/files.ts'
import { ignoreCredentials } from '../credentials/gitignore.ts'
import { Busy, withLock } from '../credentials/lock.ts'
import { forgetPending } from '../credentials/pending.ts'
import { type Project, projectIfThere } from '../credentials/read.ts'
import { finishDraft, notWritable, openDraft } from '../credentials/write.ts'
import { either, Problem } from '../problem.ts'
import type { CreatedTenant } from './created-tenant.ts'
import { type Creator, contentFor } from './creator.ts'
import { reuse, type WantedService } from './reuse.ts'

export interface CreateTenant extends WantedService {
  readonly root: string
  /** Asked only when something is to be created. */
  readonly creator: () => Promise<Creator>
}

/**
 * Gives a project its tenant. Whatever could go wrong on this side is tried before anything is created on the other,
 * and the keys go from the answer into the file without passing by anybody.
 */
export async function createTenant(wish: CreateTenant): Promise<CreatedTenant> {
  const { root } = wish
  try {
    return await withLock(lockPath(root), 0, async () => {
      await ignoreCredentials(root)
      await finishDraftIfNeeded(root)
      const project = await projectIfThere(root)
      const response = project === null ? pendingEvents(await created(wish), false) : await reuse(project, wish)
      await forgetPending(root)
      return response
    })
  } catch (error) {
    if (error instanceof Busy) throw inProgress(root, error.pid)
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EACCES' || code === 'EROFS' || code === 'ENOSPC' || code === 'EPERM'
      ? notWritable(root, error as NodeJS.ErrnoException)
      : error
  }
}

async function finishDraftIfNeeded(root: string): Promise<void> {
  // With a file in place, a draft beside it is another tenant's, or the same one's: either way it stays.
  if ((await projectIfThere(root)) === null) await finishDraft(root)
}

async function created({ root, service, creator }: CreateTenant): Promise<Project> {
  const draft = await openDraft(root)
  let isFinal = false
  try {
    const content = await contentFor(await creator(), root, service)
    const read = readCredentialsFile(content)
    if (!read.ok) throw notUnderstood(service)
    // From here on the draft holds the only copy: what goes wrong now must not throw it away.
    isFinal = true
    await draft.place(content)
    return { root, path: credentialsPath(root), credentials: read.credentials }
  } finally {
    if (!isFinal) await draft.discard()
  }
}

const pendingEvents = ({ path, credentials }: Project, reused: boolean): CreatedTenant => ({
  tenant_id: credentials.tenant_id,
  status: credentials.tenant_lifecycle,
  expires_at: credentials.expires_at,
  tenant_lifecycle: credentials.tenant_lifecycle,
  runtime_profile: credentials.runtime_profile,
  base_url: credentials.base_url,
  credentials_path: path,
  reused,
})

const inProgress = (root: string, pid: number | null): Problem =>
  new Problem(
    'creationInProgress',
    `Another program${pid === null ? '' : ` (process ${pid})`} is creating a tenant for ${root} at this moment.`,
    either(`Wait for it and use what it creates. If there is no such program, remove ${lockPath(root)}.`),
  )
