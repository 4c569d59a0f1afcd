import type { Account } from '../../domain/accounts/account.ts'
import type { Actor } from '../../domain/audit/action.ts'
import { readCallbackList } from '../../domain/callbacks/url.ts'
import type { TenantId } from '../../domain/ids.ts'
import { type InputProblem, invalidRequest } from '../../domain/invalid-request.ts'
import { newTenant } from '../../domain/tenants/new-tenant.ts'
import { readProjectName } from '../../domain/tenants/project-name.ts'
import { countProject } from '../accounts/count-project.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { withAdvice } from '../unknown-outcome.ts'
import type { NewTenant } from './create-guest-tenant.ts'
import { tenantNotFound } from './require-tenant.ts'
import { keyHashes, mintKeyPair, sealKeyPair } from './tenant-key-pair.ts'

/** A press of "Create project" on a page of an owner. */
export interface ProjectRequest {
  readonly account: Account
  readonly name: string
  readonly callbackUrls: readonly string[]
  /** Of the page: pressed twice, it creates one project. */
  readonly nonce: string
  readonly requestId: string
}

export type CreatedProject =
  | (NewTenant & { readonly repeated: false })
  | { readonly tenant: { readonly id: TenantId }; readonly repeated: true }

const ADVICE = 'The project may have been created. Look for it at /account before you create another.'

/** Creates a project that the account owns, with its name and callback URLs, in one transaction. */
export async function createProject(ctx: Context, request: ProjectRequest): Promise<CreatedProject> {
  const { account } = request
  const { name, callbackUrls } = readRequest(request)
  const now = ctx.now()
  const owner = { accountId: account.id, tier: account.tier }
  const tenant = newTenant({ origin: 'bootstrap', profile: ctx.profile, now, owner }, ctx.random)
  const keys = mintKeyPair(ctx)
  const scope = ctx.keyring.mac('creation', ['console', account.id, request.nonce].join('\0'))
  const creating = ctx.stores.confirmedTransaction(async (stores) => {
    if (!(await stores.creations.take(scope, tenant.id, now))) return stores.creations.find([scope])
    await countProject(stores, account)
    await stores.tenants.create(tenant, keyHashes(ctx, keys))
    await stores.credentials.add(tenant.id, sealKeyPair(ctx, tenant.id, keys), now)
    const actor: Actor = `account:${account.id}`
    const entry = { tenantId: tenant.id, author: { actor, requestId: request.requestId }, at: now }
    if (name !== null) {
      await stores.ownership.rename(tenant.id, name)
      await recordAction(stores, { ...entry, action: 'tenant.renamed' })
    }
    await stores.resources.provision(tenant.id, callbackUrls, now)
    await recordAction(stores, { ...entry, action: 'social_login.provisioned' })
    return tenant.id
  })
  const winner = await withAdvice(ADVICE, creating)
  if (winner === tenant.id) return { tenant, ...keys, repeated: false }
  if (winner === null) throw tenantNotFound()
  return { tenant: { id: winner }, repeated: true }
}

/** Reports all problems at once. */
function readRequest({ name: text, callbackUrls }: ProjectRequest): { name: string | null; callbackUrls: string[] } {
  const name = readProjectName(text)
  const list = readCallbackList(callbackUrls)
  const problems: InputProblem[] = []
  if (!name.ok) problems.push({ path: 'name', problem: name.problem })
  if (!list.ok) {
    for (const { index, problem } of list.problems) {
      problems.push({ path: `callback_urls${index === null ? '' : `[${index}]`}`, problem })
    }
  }
  if (name.ok && list.ok) return { name: name.name, callbackUrls: list.callbacks.map(({ href }) => href) }
  throw invalidRequest('This project cannot be created yet.', problems)
}
