import { isOwnerTier, OWNER_TIERS } from '../domain/accounts/account.ts'
import { readBlockedHost } from '../domain/callbacks/url.ts'
import { findAccount, setAccountTier } from '../operations/accounts/accounts.ts'
import {
  blockHost as block,
  listBlockedHosts,
  unblockHost as unblock,
} from '../operations/tenants/blocked-hosts.ts'
import {
  type CommandInput,
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

export const listFeedback = defineCommand({
  name: 'feedback list',
  synopsis: '[--tenant <id>] [--after <number>] [--limit <n>]',
  summary: 'list feedback, oldest first',
  options: { tenant: { type: 'string', help: 'only that of this tenant' }, ...LISTING },
  positionals: { min: 0, max: 0 },
  run: onDatabase(async (input, { stores, emit, note }) => {
    const { after, limit } = readListing(input, '0')
    if (!/^\d{1,15}$/.test(after)) {
      throw new UsageError('--after takes the number of an entry.')
    }
    const tenant = textOption(input, 'tenant')
    // One more than requested, to know whether there is another page.
    const found = await stores.feedback.page(Number(after), limit + 1, tenant)
    const entries = found.slice(0, limit)
    for (const { id, tenantId, kind, text, createdAt } of entries) {
      emit(
        { id, tenant_id: tenantId, kind, feedback: text, created_at: isoOf(createdAt) },
        `#${id}  ${minuteOf(createdAt)}  ${kind}  ${tenantId}\n${indented(text)}\n`,
      )
    }
    if (found.length > limit) {
      note(`More: --after ${entries.at(-1)?.id}`)
    }
  }),
})

const indented = (text: string): string =>
  terminalText(text)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

const USAGE =
  'Usage: gatehouse feedback delete <number>… | --tenant <id>, with --yes. Nothing was deleted.'

export const deleteFeedback = defineCommand({
  name: 'feedback delete',
  synopsis: '<number>… | --tenant <id>, with --yes',
  summary: 'delete feedback by number, or all of a tenant',
  options: { tenant: { type: 'string', help: 'all of this tenant' }, yes: YES },
  positionals: { min: 0, max: 1_000 },
  run: onDatabase(async (input, { stores, emit }) => {
    const { positionals } = input
    const tenant = textOption(input, 'tenant')
    const namesTenant = tenant !== undefined
    const namesEntries = positionals.length > 0
    if (namesTenant === namesEntries || !positionals.every((id) => /^\d{1,15}$/.test(id))) {
      throw new UsageError(USAGE)
    }
    requireYes(input, 'This deletes feedback and cannot be undone.')
    const deleted =
      tenant === undefined
        ? await stores.feedback.remove(positionals.map(Number))
        : await stores.feedback.removeByTenant(tenant)
    emit({ deleted }, `Deleted ${counted(deleted, 'entry', 'entries')}.`)
  }),
})

export const blockHost = defineCommand({
  name: 'hosts block',
  synopsis: '<host> --reason <text>',
  summary: 'block a callback host and all names below it, for every tenant',
  details: [
    'No new callback URL may have it, and logins to it stop: 403 callbackHostBlocked. Sessions that exist continue:',
    'find the tenants with "tenants find <host>", then suspend them or end their sessions.',
  ],
  options: {
    reason: {
      ...REASON,
      help: REASON.help.replace('the owner reads it', 'shown by "hosts list" only'),
    },
  },
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, { stores, now, emit }) => {
    const host = readHost(input)
    const reason = readReason(input)
    if (!(await block({ stores, now: () => now }, host, reason))) {
      throw new Error(`${host} is blocked already. Nothing was changed.`)
    }
    emit(
      { host, blocked: true, reason },
      `Blocked ${host} and all names below it, for every tenant.`,
    )
  }),
})

export const unblockHost = defineCommand({
  name: 'hosts unblock',
  synopsis: '<host>',
  summary: 'allow a callback host again',
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, { stores, emit }) => {
    const host = readHost(input)
    if (!(await unblock({ stores }, host))) {
      throw new Error(`${host} is not blocked. Nothing was changed.`)
    }
    emit({ host, blocked: false }, `${host} is allowed again.`)
  }),
})

function readHost({ positionals: [text = ''] }: CommandInput): string {
  const read = readBlockedHost(text)
  if (!read.ok) {
    throw new UsageError(`${read.problem} Nothing was changed.`)
  }
  return read.host
}

export const listHosts = defineCommand({
  name: 'hosts list',
  synopsis: '',
  summary: 'list blocked callback hosts',
  positionals: { min: 0, max: 0 },
  run: onDatabase(async (_input, { stores, emit, note }) => {
    const blocked = await listBlockedHosts({ stores })
    for (const { host, reason, blockedAt } of blocked) {
      const text = `${host.padEnd(40)} blocked ${minuteOf(blockedAt)}  ${terminalText(reason)}`
      emit({ host, reason, blocked_at: isoOf(blockedAt) }, text)
    }
    if (blocked.length === 0) {
      note('No host is blocked.')
    }
  }),
})

export const setTier = defineCommand({
  name: 'account set-tier',
  synopsis: '<email> free|plus|pro',
  summary: 'set the tier of an account',
  positionals: { min: 2, max: 2 },
  run: onDatabase(async ({ positionals: [email = '', tier = ''] }, { stores, emit }) => {
    if (!isOwnerTier(tier)) {
      throw new UsageError(`A tier is one of ${OWNER_TIERS.join(', ')}. Nothing was changed.`)
    }
    const account = await setAccountTier({ stores }, email, tier)
    emit(
      { account_id: account.id, email: account.email, tier, previous_tier: account.tier },
      `${account.email} is on ${tier} now (it was ${account.tier}).`,
    )
  }),
})

const PROJECTS_MAX = 1_000_000

export const setProjectLimit = defineCommand({
  name: 'account set-project-limit',
  synopsis: '<email> <number>',
  summary: 'set how many projects an account may own',
  details: ['Projects beyond the limit stay; the account gets no new ones.'],
  positionals: { min: 2, max: 2 },
  run: onDatabase(async ({ positionals: [email = '', projects = ''] }, { stores, emit }) => {
    const limit = Number(projects)
    if (!/^\d+$/.test(projects) || limit > PROJECTS_MAX) {
      throw new UsageError(
        `A limit is a whole number from 0 to ${PROJECTS_MAX}. Nothing was changed.`,
      )
    }

    const account = await findAccount({ stores }, email)
    await stores.accounts.setProjectLimit(account.id, limit)
    const owned = await stores.ownership.ownedBy(account.id)
    emit(
      {
        account_id: account.id,
        email: account.email,
        project_limit: limit,
        projects: owned.length,
      },
      `${account.email} may own ${limit} projects now (it was ${account.projectLimit}), and owns ${owned.length}.`,
    )
  }),
})
