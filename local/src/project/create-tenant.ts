import { lstat } from 'node:fs/promises'
import { readCredentialsFile } from '@gatehouse/contract'
import { unexpectedResponse } from '../api/api-version.ts'
import { ensureAppSecret } from '../credentials/app-secret.ts'
import { finishDraft, notWritable, openDraft } from '../credentials/draft.ts'
import { ignoreCredentials } from '../credentials/gitignore.ts'
import { LockHeldError, withLock } from '../credentials/lock.ts'
import { appSecretPath, credentialsPath, draftPath, lockPath, pendingPath } from '../credentials/paths.ts'
import { removePending } from '../credentials/pending.ts'
import { type Project, readProjectIfPresent } from '../credentials/project.ts'
import { nextStep, Problem } from '../problem.ts'
import { type Creator, createCredentials } from './creator.ts'
import { type CreatedTenant, type ProjectTenant, type RequestedService, reuseTenant } from './reuse-tenant.ts'

export interface CreateTenantOptions extends RequestedService {
  readonly root: string
  /** The file for secrets that the framework of the app loads. */
  readonly envFile?: string | undefined
  /** Called only if a tenant has to be created. */
  readonly creator: () => Promise<Creator>
}

/**
 * Creates a tenant for a project, or reuses its tenant. Every local precondition is checked before the service creates
 * anything, and the keys go from the response to the file only.
 */
export async function createTenant(options: CreateTenantOptions): Promise<CreatedTenant> {
  const { root } = options
  try {
    return await withLock(lockPath(root), 0, async () => {
      const restoreIgnore = await ignoreCredentials(root)
      try {
        await finishDraftIfNeeded(root)
        const project = await readProjectIfPresent(root)
        const tenant = project === null ? toProjectTenant(await create(options)) : await reuseTenant(project, options)
        await removePending(root)
        return { ...tenant, secret_path: await ensureAppSecret(root, options.envFile) }
      } catch (error) {
        if (!(await hasPrivateFile(root))) await restoreIgnore()
        throw error
      }
    })
  } catch (error) {
    if (error instanceof LockHeldError) throw creationInProgress(root, error.pid)
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EACCES' || code === 'EROFS' || code === 'ENOSPC' || code === 'EPERM'
      ? notWritable(root, error as NodeJS.ErrnoException)
      : error
  }
}

/** A file that must not be committed, whether this creation wrote it or an earlier one. */
async function hasPrivateFile(root: string): Promise<boolean> {
  const files = [credentialsPath(root), draftPath(root), pendingPath(root), appSecretPath(root)]
  const found = await Promise.all(files.map((file) => lstat(file).catch(() => null)))
  return found.some((stats) => stats !== null)
}

async function finishDraftIfNeeded(root: string): Promise<void> {
  // If .service exists, the draft may belong to another tenant: keep it.
  if ((await readProjectIfPresent(root)) === null) await finishDraft(root)
}

async function create({ root, service, creator }: CreateTenantOptions): Promise<Project> {
  const draft = await openDraft(root)
  let isFinal = false
  try {
    const content = await createCredentials(await creator(), root, service)
    const read = readCredentialsFile(content)
    if (!read.ok) throw unexpectedResponse(service)
    // From here on the draft is the only copy of the keys: keep it even if publishing fails.
    isFinal = true
    await draft.publish(content)
    return { root, path: credentialsPath(root), credentials: read.credentials }
  } finally {
    if (!isFinal) await draft.discard()
  }
}

const toProjectTenant = ({ path, credentials }: Project): ProjectTenant => ({
  tenant_id: credentials.tenant_id,
  status: credentials.tenant_lifecycle,
  expires_at: credentials.expires_at,
  tenant_lifecycle: credentials.tenant_lifecycle,
  runtime_profile: credentials.runtime_profile,
  base_url: credentials.base_url,
  credentials_path: path,
  reused: false,
})

const creationInProgress = (root: string, pid: number | null): Problem =>
  new Problem(
    'creationInProgress',
    `Another program${pid === null ? '' : ` (process ${pid})`} is already creating a tenant for ${root}.`,
    nextStep(`Wait until it has finished. If no such program is running, remove ${lockPath(root)}.`),
  )
