import type { Stores } from '../domain/stores/stores.ts'
import { statusAt, type Tenant, tierOf } from '../domain/tenants/tenant.ts'
import { findAccount } from '../operations/accounts/accounts.ts'
import { endTenantSessions } from '../operations/sessions/end-tenant-sessions.ts'
import {
  describeTenant,
  readOwnerAndHosts,
  type TenantDescription,
} from '../operations/tenants/describe-tenant.ts'
import { endTenant } from '../operations/tenants/end-tenant.ts'
import { OPERATOR } from '../operations/tenants/operator.ts'
import { liftSuspension, suspendTenant as suspend } from '../operations/tenants/suspension.ts'
import { TenantDirectory } from '../operations/tenants/tenant-directory.ts'
import {
  type CommandIo,
  defineCommand,
  onDatabase,
  REASON,
  readReason,
  requireYes,
  textOption,
  UsageError,
  YES,
} from './command.ts'
import { counted, isoOf, LISTING, minuteOf, readListing, terminalText } from './terminal-text.ts'

export const listTenants = defineCommand({
  name: 'tenants list',
  synopsis: '[--account <email>] [--after <id>] [--limit <n>]',
  summary: 'list tenants (projects) with status, tier, owner and callback hosts',
  options: {
    account: { type: 'string', help: 'only those that the account with this address owns' },
    ...LISTING,
  },
  positionals: { min: 0, max: 0 },
  run: onDatabase(async (input, io) => {
    const { after, limit } = readListing(input, '')
    const email = textOption(input, 'account')
    // One more than requested, to know whether there is another page.
    const most = limit + 1
    const found =
      email === undefined
        ? await io.stores.ownership.page(after, most)
        : await ownedBy(io.stores, email, after, most)
    await emitTenants(io, found, limit)
  }),
})

/** The tenants of an account, in the order and with the paging of the whole list. */
async function ownedBy(
  stores: Stores,
  email: string,
  after: string,
  limit: number,
): Promise<Tenant[]> {
  const { id } = await findAccount({ stores }, email)
  const owned = await stores.ownership.ownedBy(id)
  return owned
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .filter((tenant) => tenant.id > after)
    .slice(0, limit)
}

const TEXT_MAX = 200

export const findTenants = defineCommand({
  name: 'tenants find',
  synopsis: '<text> [--after <id>] [--limit <n>]',
  summary: 'find tenants by id, callback host, owner or email address',
  details: [
    'Searched, in either case: a part of the tenant’s id, a part of its callback URLs, a part of the email address of its',
    'owner, and the id of the owner’s account. The users of apps are not searched.',
    'Ended tenants are found by id and owner for 30 days.',
  ],
  options: LISTING,
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, io) => {
    const [text = ''] = input.positionals.map((word) => word.trim())
    if (text === '' || text.length > TEXT_MAX) {
      throw new UsageError(`A text has 1 to ${TEXT_MAX} characters.`)
    }
    const { after, limit } = readListing(input, '')
    const found = await io.stores.moderation.search({ text, after, limit: limit + 1 })
    await emitTenants(io, found, limit)
    if (found.length === 0) {
      io.note('No tenant found.')
    }
  }),
})

export const showTenant = defineCommand({
  name: 'tenants show',
  synopsis: '<id>',
  summary:
    'show status, owner, callback hosts, usage, users, sessions and last activity of a tenant',
  details: [
    'For a deleted tenant: how many of its rows are left to delete. Contains no data of the app’s users.',
  ],
  positionals: { min: 1, max: 1 },
  run: onDatabase(async ({ positionals: [id = ''] }, { stores, now, emit }) => {
    const tenant = await requireTenant(stores, id)
    const described = await describeTenant({ stores, now: () => now }, tenant)
    emit(detailsOf(described), linesOf(described).join('\n'))
  }),
})

const detailsOf = ({ tenant, owner, ...described }: TenantDescription) => ({
  tenant_id: tenant.id,
  status: described.status,
  suspension: tenant.suspension && {
    reason: tenant.suspension.reason,
    since: isoOf(tenant.suspension.at),
  },
  tier: described.tier,
  owner: owner && { account_id: owner.id, email: owner.email },
  created_at: isoOf(tenant.createdAt),
  claimed_at: isoOf(tenant.claimedAt),
  expires_at: isoOf(tenant.expiresAt),
  callback_hosts: described.callbackHosts,
  users: described.users,
  active_sessions: described.activeSessions,
  events_this_month: described.eventsThisMonth,
  events_lifetime: described.eventsLifetime,
  last_activity_at: isoOf(described.lastActivityAt),
  webhooks: described.webhooks,
  rows_left_to_delete: described.rowsLeft,
  recent_actions: described.actions.map(({ at, actor, action, target }) => ({
    at: isoOf(at),
    actor,
    action,
    target,
  })),
})

function linesOf({ tenant, owner, ...described }: TenantDescription): string[] {
  const { suspension, expiresAt } = tenant
  const { tier, rowsLeft, lastActivityAt } = described
  const month = number(described.eventsThisMonth)
  const lifetime = number(described.eventsLifetime)

  const lines = [`${tenant.id}  ${described.status}`]
  const add = (name: string, value: string): void => {
    lines.push(`  ${name.padEnd(16)} ${terminalText(value)}`)
  }
  if (suspension !== null) {
    add('Suspended', `${minuteOf(suspension.at)}: ${suspension.reason}`)
  }
  if (rowsLeft > 0) {
    add('Deleting', `${number(rowsLeft)} rows left`)
  }
  add('Owner', owner === null ? 'none (guest)' : `${owner.email} (account ${owner.id}, ${tier})`)
  add('Created', minuteOf(tenant.createdAt))
  if (expiresAt !== null) {
    add('Expires', minuteOf(expiresAt))
  }
  add('Callback hosts', described.callbackHosts.join(', ') || 'none')
  add('Users', number(described.users))
  add('Active sessions', number(described.activeSessions))
  add('Events', `${month} this month, ${lifetime} in all`)
  add('Last activity', lastActivityAt === null ? 'none' : minuteOf(lastActivityAt))
  add('Webhooks', number(described.webhooks))
  for (const [index, { at, actor, action, target }] of described.actions.entries()) {
    const what = target === null ? action : `${action}  ${target}`
    add(index === 0 ? 'Actions' : '', `${minuteOf(at)}  ${actor}  ${what}`)
  }
  return lines
}

const number = (value: number): string => value.toLocaleString('en')

export const suspendTenant = defineCommand({
  name: 'tenants suspend',
  synopsis: '<id> --reason <text>',
  summary: 'suspend a tenant: no sign-ins, sessions, changes and webhooks until it is lifted',
  details: [
    'Takes effect on every instance within two seconds. Nothing is deleted: sessions continue after "tenants lift".',
    'The owner reads the reason on the project’s page and with GET /api/status. The API answers 403 tenantSuspended.',
  ],
  options: { reason: REASON },
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, { stores, now, emit }) => {
    const [id = ''] = input.positionals
    const reason = readReason(input)
    const tenant = await requireTenant(stores, id)
    if (!(await suspend({ stores, now: () => now }, id, reason))) {
      throw new Error(`${id} is ${statusAt(tenant, now)} already. Nothing was changed.`)
    }
    emit(
      { tenant_id: id, status: 'suspended', reason },
      `Suspended ${id}. Lift it with: gatehouse tenants lift ${id} --reason "<text>"`,
    )
  }),
})

export const liftTenant = defineCommand({
  name: 'tenants lift',
  synopsis: '<id> --reason <text>',
  summary: 'lift a suspension: sessions, sign-ins and webhooks continue where they were',
  options: { reason: REASON },
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, { stores, now, emit }) => {
    const [id = ''] = input.positionals
    const reason = readReason(input)
    const tenant = await requireTenant(stores, id)
    if (!(await liftSuspension({ stores, now: () => now }, id, reason))) {
      throw new Error(`${id} is not suspended (${statusAt(tenant, now)}). Nothing was changed.`)
    }
    const status = statusAt({ ...tenant, suspension: null }, now)
    emit(
      { tenant_id: id, status, reason },
      `Lifted the suspension of ${id}, which is ${status} again.`,
    )
  }),
})

export const endSessions = defineCommand({
  name: 'tenants end-sessions',
  synopsis: '<id> --yes',
  summary: 'end all sessions of a tenant’s users, who may sign in again',
  details: ['Sessions that start meanwhile stay: suspend the tenant first to prevent them.'],
  options: { yes: YES },
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, { stores, now, emit, note }) => {
    const [id = ''] = input.positionals
    const tenant = await requireTenant(stores, id)
    requireYes(input, `This signs out every user of ${id}.`)
    const ctx = { stores, now: () => now, unlimited: false }
    const ended = await endTenantSessions(ctx, tenant, (soFar) => {
      if (soFar % 10_000 === 0 && soFar > 0) {
        note(`${counted(soFar, 'session')} ended so far`)
      }
    })
    emit({ tenant_id: id, ended }, `Ended ${counted(ended, 'session')} of ${id}.`)
  }),
})

/** Deletes tenants as their owner would. Running instances reject them within ten seconds. */
export const deleteTenants = defineCommand({
  name: 'tenants delete',
  synopsis: '<id>… --yes',
  summary: 'delete tenants with their users, sessions and history; cannot be undone',
  details: [
    'Their data is unreadable at once. The running service deletes the last rows of a large tenant in steps:',
    '"tenants show" says how many are left.',
  ],
  options: { yes: YES },
  positionals: { min: 1, max: 1_000 },
  run: onDatabase(async (input, { stores, now, emit }) => {
    const tenants = await requireTenants(stores, input.positionals)
    requireYes(
      input,
      `This deletes ${input.positionals.join(', ')} with all users, and cannot be undone.`,
    )
    const ctx = { stores, now: () => now, directory: new TenantDirectory(stores, () => now) }
    for (const tenant of tenants) {
      await endTenant(ctx, tenant, 'deleted', OPERATOR)
      const left = await stores.resources.countDeleting(tenant.id)
      const progress =
        left === 0 ? '' : ` ${counted(left, 'row')} left: the running service deletes them.`
      emit(
        { tenant_id: tenant.id, status: 'expired', rows_left_to_delete: left },
        `Deleted ${tenant.id} with its users, sessions, history and keys.${progress}`,
      )
    }
  }),
})

/** Prints a page of tenants, and how to get the next one. `found`: one more than the limit, if there are more. */
async function emitTenants(
  { stores, emit, note, now }: CommandIo & { readonly stores: Stores },
  found: readonly Tenant[],
  limit: number,
): Promise<void> {
  const shown = found.slice(0, limit)
  for (const tenant of shown) {
    const { owner, callbackHosts } = await readOwnerAndHosts({ stores }, tenant)
    const listed = { tenant, email: owner?.email ?? null, hosts: callbackHosts }
    emit(recordOf(listed, now), lineOf(listed, now))
  }
  if (found.length > limit) {
    note(`More: --after ${shown.at(-1)?.id}`)
  }
}

interface ListedTenant {
  readonly tenant: Tenant
  readonly email: string | null
  readonly hosts: readonly string[]
}

const recordOf = ({ tenant, email, hosts }: ListedTenant, now: number) => ({
  tenant_id: tenant.id,
  status: statusAt(tenant, now),
  tier: tierOf(tenant),
  account_id: tenant.owner?.accountId ?? null,
  owner_email: email,
  callback_hosts: hosts,
  created_at: isoOf(tenant.createdAt),
  expires_at: isoOf(tenant.expiresAt),
  runtime_profile: tenant.profile,
})

function lineOf({ tenant, email, hosts }: ListedTenant, now: number): string {
  const expiry = tenant.expiresAt === null ? '' : `  expires ${minuteOf(tenant.expiresAt)}`
  const status = `${statusAt(tenant, now).padEnd(10)} ${tierOf(tenant).padEnd(10)}`
  const about = terminalText(`${email ?? 'no owner'}  ${hosts.join(', ') || 'no callback'}`)
  return `${tenant.id.padEnd(40)} ${status} created ${minuteOf(tenant.createdAt)}${expiry}  ${about}`
}

/** Throws if one of the ids is unknown, before anything is changed. */
async function requireTenants(stores: Stores, ids: readonly string[]): Promise<Tenant[]> {
  const tenants = await Promise.all(ids.map((id) => stores.tenants.find(id)))
  const unknown = ids.filter((_, at) => tenants[at] === null)
  if (unknown.length > 0) {
    throw new Error(
      `There is no tenant ${unknown.join(', ')}. Nothing was changed. Search: gatehouse tenants find <text>`,
    )
  }
  return tenants.filter((tenant) => tenant !== null)
}

async function requireTenant(stores: Stores, id: string): Promise<Tenant> {
  const [tenant] = await requireTenants(stores, [id])
  return tenant as Tenant
}
