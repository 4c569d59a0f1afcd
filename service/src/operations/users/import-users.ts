import type { ImportResult } from '@gatehouse-auth/contract'
import { ApiError, Unavailable } from '../../domain/api-error.ts'
import type { UserId } from '../../domain/ids.ts'
import { userCharge } from '../../domain/limits/allowance.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import {
  type ImportedRow,
  isSameIdentity,
  type KnownIssuers,
  type ReadUser,
  readImportedRow,
} from '../../domain/users/user.ts'
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
  if (tenant.owner === null) {
    throw new ApiError(
      'importRequiresClaim',
      'Only a claimed tenant can import users: POST /api/claim/url.',
    )
  }
}

/** Stores each row as a user unless there is one. Rows are independent: one that fails stops no other. */
export async function importUsers(
  ctx: Context,
  tenant: Tenant,
  lines: readonly ImportLine[],
  author: Author,
): Promise<ImportResult[]> {
  const issuers: KnownIssuers = {
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
      return storeBatch(stores, { tenant, resource, issuers, now }, batch)
    })

    for (const result of stored) {
      results.push({ line: results.length + 1, ...result })
    }
    await yieldToEventLoop()
  }
  return results
}

type Stored = Omit<ImportResult, 'line'>

/** What every line of an import is read and stored with. */
interface Import {
  readonly tenant: Tenant
  readonly resource: Resource
  readonly issuers: KnownIssuers
  readonly now: Instant
}

async function storeBatch(
  stores: TransactionStores,
  into: Import,
  batch: readonly ImportLine[],
): Promise<Stored[]> {
  const results: Stored[] = []
  const created: { readonly id: UserId }[] = []
  for (const line of batch) {
    const result = await storeLine(stores, into, line)
    results.push(result)
    if (result.result === 'created' && result.user_id !== undefined) {
      created.push({ id: result.user_id })
    }
  }

  await stores.userMessages.record(into.tenant.id, 'user.created', created, into.now)
  return results
}

async function storeLine(
  stores: TransactionStores,
  into: Import,
  line: ImportLine,
): Promise<Stored> {
  if ('problem' in line) {
    return { result: 'invalid', problem: line.problem }
  }

  const read = readImportedRow(line.row, into.issuers, into.now)
  if (!read.ok) {
    return { result: 'invalid', problem: read.problem }
  }
  return storeUser(stores, into, read)
}

async function storeUser(
  stores: TransactionStores,
  { tenant, resource }: Pick<Import, 'tenant' | 'resource'>,
  read: ReadUser,
): Promise<Stored> {
  const { users, counters } = stores
  const { user, warning } = read
  const known = await users.findBySubject(resource, user.issuer, user.subject)
  if (known !== null) {
    return { result: 'exists', user_id: known.id }
  }

  for (const { issuer, subject } of read.identities) {
    const other = await users.findBySubject(resource, issuer, subject)
    if (other !== null) {
      return { result: 'invalid', problem: `identities: the user ${other.id} has one of them.` }
    }
  }

  const { counter, limit } = userCharge(tenant)
  const spent = await counters.spend(counter, 1, limit)
  if (spent === null) {
    return { result: 'user_limit' }
  }

  const { id } = await users.add(resource, user)
  await storeIdentities(stores, resource, id, read)
  return warning === undefined
    ? { result: 'created', user_id: id }
    : { result: 'created', user_id: id, warning }
}

/** Adds the further identities of a user who has several. The row of the user has the first. */
async function storeIdentities(
  { identities }: TransactionStores,
  resource: Resource,
  userId: UserId,
  { user, identities: all }: ReadUser,
): Promise<void> {
  for (const identity of all) {
    if (isSameIdentity(identity, user)) {
      continue
    }
    const isAdded = await identities.add(resource, userId, identity)
    if (!isAdded) {
      throw new Unavailable('a sign-in has taken an identity meanwhile')
    }
  }

  const own = all.find((each) => isSameIdentity(each, user))
  if (own !== undefined) {
    await identities.signIn(resource, userId, own, own.lastSeen)
  }

  const pinned = all.find((each) => each.pinned)
  if (pinned !== undefined) {
    await identities.pin(resource, userId, pinned)
  }
}
