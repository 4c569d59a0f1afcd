import { lstat } from 'node:fs/promises'
import { readCredentialsFile } from '@gatehouse-auth/contract'
import { accountToken, signInNeeded } from '../account/token-request.ts'
import { unexpectedResponse } from '../api/request.ts'
import { createGuest, createOwned } from '../api/tenants.ts'
import { ensureAppSecret } from '../credentials/app-secret.ts'
import {
  finishDraft,
  notWritable,
  openDraft,
  pendingCreation,
  removePending,
} from '../credentials/draft.ts'
import { ignoreCredentials } from '../credentials/gitignore.ts'
import { LockHeldError, withLock } from '../credentials/lock.ts'
import {
  appSecretPath,
  credentialsPath,
  draftPath,
  lockPath,
  pendingPath,
} from '../credentials/paths.ts'
import { type Project, readProjectIfPresent } from '../credentials/project.ts'
import { interrupted } from '../interruption.ts'
import { commandLine } from '../invocation.ts'
import { writeScopeLine } from '../npm-registry.ts'
import { nextStep, Problem } from '../problem.ts'
import {
  type CreatedTenant,
  type ProjectTenant,
  type RequestedService,
  reuseTenant,
} from './reuse-tenant.ts'

interface CreateTenantOptions extends RequestedService {
  readonly root: string
  /** The file for secrets that the framework of the app loads. */
  readonly envFile?: string | undefined
  /** Called only if a tenant has to be created. */
  readonly creator: () => Promise<Creator>
  /** Called if another program is creating a tenant for this project: its tenant is used. */
  readonly onWait?: () => void
  readonly waitMs?: number
}

/** Longer than requests of several programs that wait for each other. */
const CREATION_WAIT_MS = 60_000

/** Creates a tenant for a project, or reuses its tenant, also the one that another program is creating meanwhile. */
export async function createTenant(options: CreateTenantOptions): Promise<CreatedTenant> {
  const { root, waitMs = CREATION_WAIT_MS, onWait } = options
  try {
    const created = await withLock(lockPath(root), waitMs, () => createOrReuse(options), onWait)
    await writeScopeLine(root, created.base_url)
    return created
  } catch (error) {
    if (error instanceof LockHeldError) {
      throw creationInProgress(root, error.pid)
    }
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EACCES' || code === 'EROFS' || code === 'ENOSPC' || code === 'EPERM'
      ? notWritable(root, error as NodeJS.ErrnoException)
      : error
  }
}

/**
 * Every local precondition is checked before the service creates anything, and the keys go from the response to the file
 * only.
 */
async function createOrReuse(options: CreateTenantOptions): Promise<CreatedTenant> {
  const { root } = options
  const restoreIgnore = await ignoreCredentials(root)
  try {
    await finishDraftIfNeeded(root)
    const project = await readProjectIfPresent(root)
    const tenant =
      project === null
        ? toProjectTenant(await create(options))
        : await reuseTenant(project, options)
    await removePending(root)
    return { ...tenant, secret_path: await ensureAppSecret(root, options.envFile) }
  } catch (error) {
    if (!(await hasPrivateFile(root))) {
      await restoreIgnore()
    }
    throw error
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
  if ((await readProjectIfPresent(root)) === null) {
    await finishDraft(root)
  }
}

async function create({ root, service, creator }: CreateTenantOptions): Promise<Project> {
  const draft = await openDraft(root)
  let isFinal = false
  try {
    const content = await createCredentials(await creator(), root, service)
    const read = readCredentialsFile(content)
    if (!read.ok) {
      throw unexpectedResponse(service)
    }
    // From here on the draft is the only copy of the keys: keep it even if publishing fails.
    isFinal = true
    await draft.publish(content)
    return { root, path: credentialsPath(root), credentials: read.credentials }
  } finally {
    if (!isFinal) {
      await draft.discard()
    }
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
    `Another program${pid === null ? '' : ` (process ${pid})`} has been creating a tenant for ${root} for some time.`,
    nextStep(
      `Wait until it has finished. If no such program is running, remove ${lockPath(root)}.`,
    ),
  )

export type Creator =
  | { readonly kind: 'guest' }
  | { readonly kind: 'account'; readonly accessToken: string }

/** The account that is signed in on this machine, otherwise a guest. */
export async function accountOrGuest(service: string): Promise<Creator> {
  const accessToken = await accountToken(service)
  return accessToken === null ? { kind: 'guest' } : { kind: 'account', accessToken }
}

/** Creates the tenant and returns its credentials file. */
async function createCredentials(creator: Creator, root: string, service: string): Promise<string> {
  if (creator.kind === 'guest') {
    return createGuest(service)
  }
  const { accessToken } = creator
  const { idempotencyKey } = await pendingCreation(root, service)
  try {
    return await createOwned(service, accessToken, idempotencyKey)
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error
    }
    if (error.code === 'insufficientScope') {
      throw signInNeeded(service, 'Your sign-in does not allow creating tenants.')
    }
    if (error.code === 'interrupted') {
      throw interrupted(
        `To finish the creation without a second tenant, run: ${commandLine('init --account')}`,
      )
    }
    // The tenant of this idempotency key was deleted, so the key fails permanently. The next creation uses a new key.
    if (error.code === 'tenantExpired') {
      await removePending(root)
    }
    if (error.code !== 'invalidAccessToken') {
      throw error
    }
    const refreshed = await accountToken(service, accessToken)
    if (refreshed === null) {
      throw signInNeeded(service, 'Your sign-in has ended.')
    }
    return createOwned(service, refreshed, idempotencyKey)
  }
}
