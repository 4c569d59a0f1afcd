import { describeTenant, type TenantDescription } from '../../operations/moderation.ts'
import { type Command, onDatabase } from '../command.ts'
import { isoOf, minuteOf, terminalText } from '../terminal-text.ts'
import { requireTenant } from './require-tenants.ts'

export const showTenant: Command = {
  name: 'tenants show',
  synopsis: '<id>',
  summary: 'show status, owner, callback hosts, usage, users, sessions and last activity of a tenant',
  details: ['Of a deleted tenant: how many of its rows are left to delete. Contains no data of the app’s users.'],
  positionals: { min: 1, max: 1 },
  run: onDatabase(async ({ positionals: [id = ''] }, { stores, now, emit }) => {
    const described = await describeTenant({ stores, now: () => now }, await requireTenant(stores, id))
    emit(recordOf(described), linesOf(described).join('\n'))
  }),
}

const recordOf = ({ tenant, owner, ...described }: TenantDescription) => ({
  tenant_id: tenant.id,
  status: described.status,
  suspension: tenant.suspension && { reason: tenant.suspension.reason, since: isoOf(tenant.suspension.at) },
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
  recent_actions: described.actions.map(({ at, actor, action, target }) => ({ at: isoOf(at), actor, action, target })),
})

function linesOf({ tenant, owner, ...described }: TenantDescription): string[] {
  const { suspension } = tenant
  const row = (name: string, value: string): string => `  ${name.padEnd(16)} ${terminalText(value)}`
  const number = (value: number): string => value.toLocaleString('en')
  return [
    `${tenant.id}  ${described.status}`,
    ...(suspension === null ? [] : [row('Suspended', `${minuteOf(suspension.at)}: ${suspension.reason}`)]),
    ...(described.rowsLeft === 0 ? [] : [row('Deleting', `${number(described.rowsLeft)} rows left`)]),
    row('Owner', owner === null ? 'none (guest)' : `${owner.email} (account ${owner.id}, ${described.tier})`),
    row('Created', minuteOf(tenant.createdAt)),
    ...(tenant.expiresAt === null ? [] : [row('Expires', minuteOf(tenant.expiresAt))]),
    row('Callback hosts', described.callbackHosts.join(', ') || 'none'),
    row('Users', number(described.users)),
    row('Active sessions', number(described.activeSessions)),
    row('Events', `${number(described.eventsThisMonth)} this month, ${number(described.eventsLifetime)} in all`),
    row('Last activity', described.lastActivityAt === null ? 'none' : minuteOf(described.lastActivityAt)),
    row('Webhooks', number(described.webhooks)),
    ...described.actions.map(({ at, actor, action, target }, index) =>
      row(index === 0 ? 'Actions' : '', `${minuteOf(at)}  ${actor}  ${action}${target === null ? '' : `  ${target}`}`),
    ),
  ]
}
