import type { ImportResult } from '@gatehouse-auth/contract'
import { ApiError, Unavailable } from '../../domain/api-error.ts'
import { defined } from '../../domain/defined.ts'
import { userCharge } from '../../domain/limits/allowance.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import { type ImportedRow, isSameIdentity, readImportedRow } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { nameIssuers } from '../providers/providers.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource, requireResource } from '../tenants/require-tenant.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/** Small transactions delay no sign-in; see purge-resource.ts. */
const ROWS_PER_TRANSACTION = 100

/** A line of the body: a row, or why it is none. */
export type ImportLine = { readonly row: ImportedRow } | { readonly problem: string }

/** Checked before the body is read. */
export async function requireImport(ctx: Context, tenant: Tenant): Promise<void> {
  requireTenantAccess(tenant, 'use', ctx.now())
  await requireResource(ctx.stores, tenant)
  // A guest has no owner who answers for what it stores about people.
  if (tenant.owner !== null) {
    return
  }
  throw new ApiError(
    'importRequiresClaim',
    'Only a claimed tenant can import users: POST /api/claim/url.',
  )
}

/** Stores each row as a user unless there is one. Rows are independent: one that fails stops no other. */
export async function importUsers(
  ctx: Context,
  tenant: Tenant,
  lines: readonly ImportLine[],
  author: Author,
): Promise<ImportResult[]> {
  const known = {
    google: await ctx.identity.issuer(),
    providerOf: await nameIssuers(ctx, tenant.id),
  }
  const now = ctx.now()
  const results: ImportResult[] = []
  for (let from = 0; from < lines.length; from += ROWS_PER_TRANSACTION) {
    const batch = lines.slice(from, from + ROWS_PER_TRANSACTION)
    // The whole batch runs again after a conflict, so its results are collected inside.
    const stored = await ctx.stores.transaction(async (stores) => {
      const resource = await lockResource(stores, tenant)
      if (from === 0) {
        await recordAction(stores, {
          tenantId: tenant.id,
          author,
          action: 'users.imported',
          at: now,
        })
      }
      const imported: ImportResult[] = []
      for (const [at, line] of batch.entries()) {
        const read =
          'problem' in line
            ? { ok: false as const, ...line }
            : readImportedRow(line.row, known, now)
        const result: Stored = read.ok
          ? await store(stores, tenant, resource, read)
          : { result: 'invalid', problem: read.problem }
        imported.push({ line: from + at + 1, ...result })
      }
      const created = imported.flatMap(({ result, user_id: id }) =>
        result === 'created' && id ? [{ id }] : [],
      )
      await stores.userMessages.record(tenant.id, 'user.created', created, now)
      return imported
    })
    results.push(...stored)
    await yieldToEventLoop()
  }
  return results
}

type Stored = Omit<ImportResult, 'line'>
type ImportedUser = Extract<ReturnType<typeof readImportedRow>, { readonly ok: true }>

async function store(
  { users, identities, counters }: TransactionStores,
  tenant: Tenant,
  resource: Resource,
  { user, identities: all, warning }: ImportedUser,
): Promise<Stored> {
  const known = await users.findBySubject(resource, user.issuer, user.subject)
  if (known !== null) {
    return { result: 'exists', user_id: known.id }
  }
  for (const { issuer, subject } of all) {
    const other = await users.findBySubject(resource, issuer, subject)
    if (other !== null) {
      return { result: 'invalid', problem: `identities: the user ${other.id} has one of them.` }
    }
  }
  const { counter, limit } = userCharge(tenant)
  if ((await counters.spend(counter, 1, limit)) === null) {
    return { result: 'user_limit' }
  }
  const { id } = await users.add(resource, user)
  for (const identity of all) {
    if (isSameIdentity(identity, user)) {
      continue
    }
    if (!(await identities.add(resource, id, identity))) {
      throw new Unavailable('a sign-in has taken an identity meanwhile')
    }
  }
  const own = all.find((each) => isSameIdentity(each, user))
  if (own !== undefined) {
    await identities.signIn(resource, id, own, own.lastSeen)
  }
  const pinned = all.find((each) => each.pinned)
  if (pinned !== undefined) {
    await identities.pin(resource, id, pinned)
  }
  return { result: 'created', user_id: id, ...defined({ warning }) }
}
