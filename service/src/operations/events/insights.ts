import type { Account } from '../../domain/accounts/account.ts'
import type { Logo } from '../../domain/brand/brand.ts'
import { type OwnerEvent, ownerView } from '../../domain/events/auth-event.ts'
import { type Daily, dailyFrom, dayOf, firstDay } from '../../domain/events/daily.ts'
import { enforcedLimits, loginStartUsage } from '../../domain/limits/allowance.ts'
import { minuteEnd, monthEnd, monthStart } from '../../domain/limits/counter.ts'
import type { DayTally, Resource } from '../../domain/stores/stores.ts'
import type { OwnedTenant, Tenant } from '../../domain/tenants/tenant.ts'
import type { SeenUser } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { describeProject } from '../tenants/project-name.ts'

export interface ProjectInsights extends ProjectActivity {
  readonly tenant: OwnedTenant
  /** What the console calls it. */
  readonly name: string
  readonly logo: Logo | null
  readonly provisioned: boolean
  readonly callbackHosts: readonly string[]
}

interface ProjectActivity {
  readonly users: { readonly total: number; readonly recent: readonly SeenUser[] }
  readonly activeSessions: number
  readonly activity: readonly OwnerEvent[]
  readonly daily: readonly Daily[]
  /** Events of all kinds in this UTC month. */
  readonly eventsThisMonth: number
}

interface Insights {
  readonly account: Account
  readonly usage: AccountUsage
  readonly projects: readonly ProjectInsights[]
}

/** What an owner may see of all projects. Contains no provider ids, tokens, redirect URIs or raw metadata. */
export async function readInsights(ctx: Context, account: Account): Promise<Insights> {
  const tenants = await ctx.stores.ownership.ownedBy(account.id)
  const projects: ProjectInsights[] = []
  for (const tenant of tenants) {
    projects.push(await readProject(ctx, tenant))
  }
  return { account, usage: await readAccountUsage(ctx, account), projects }
}

export async function readProject(ctx: Context, tenant: OwnedTenant): Promise<ProjectInsights> {
  const { name, logo, callbackHosts } = await describeProject(ctx, tenant)
  const resource = await ctx.stores.resources.findActive(tenant.id)
  const activity = resource === null ? noActivity(ctx) : await activityOf(ctx, resource)
  return { tenant, name, logo, callbackHosts, provisioned: resource !== null, ...activity }
}

const RECENT_USERS = 10
const RECENT_ACTIVITY = 20

async function activityOf(ctx: Context, resource: Resource): Promise<ProjectActivity> {
  const { stores } = ctx
  const now = ctx.now()
  const month = dayOf(monthStart(now))
  const firstShown = firstDay(now)
  const tallies = await stores.events.daily(resource, month < firstShown ? month : firstShown)
  const recent = await stores.events.recent(resource, 0, RECENT_ACTIVITY)
  return {
    users: {
      total: await stores.users.count(resource),
      recent: await stores.users.page(resource, {
        after: 0,
        limit: RECENT_USERS,
        newestFirst: true,
      }),
    },
    activeSessions: await stores.sessions.countActive(resource, now),
    activity: recent.map(ownerView),
    daily: dailyFrom(tallies, now),
    eventsThisMonth: countSince(tallies, month),
  }
}

function countSince(tallies: readonly DayTally[], firstDayCounted: string): number {
  let events = 0
  for (const { day, count } of tallies) {
    if (day >= firstDayCounted) {
      events += count
    }
  }
  return events
}

const noActivity = (ctx: Context): ProjectActivity => ({
  users: { total: 0, recent: [] },
  activeSessions: 0,
  activity: [],
  daily: dailyFrom([], ctx.now()),
  eventsThisMonth: 0,
})

/** The counts of each of the last days, today included. */
export async function readDaily(ctx: Context, tenant: Tenant, days: number): Promise<Daily[]> {
  const now = ctx.now()
  const resource = await ctx.stores.resources.findActive(tenant.id)
  if (resource === null) {
    return dailyFrom([], now, days)
  }
  const tallies = await ctx.stores.events.daily(resource, firstDay(now, days))
  return dailyFrom(tallies, now, days)
}

interface Used {
  readonly used: number
  readonly limit: number | null
  /** null: does not reset. */
  readonly resetsAt: number | null
}

export interface AccountUsage {
  readonly storedUsers: Used
  readonly eventsThisMinute: Used
  readonly loginStartsThisMinute: Used
  readonly eventsThisMonth: Used
  readonly loginStartsThisMonth: Used
}

/** Usage of an account against the limits of its tier, over all its tenants. */
export async function readAccountUsage(
  ctx: Context,
  account: Pick<Account, 'id' | 'tier'>,
): Promise<AccountUsage> {
  const now = ctx.now()
  const limits = enforcedLimits(account.tier, ctx.unlimited)
  const scope = `account:${account.id}` as const
  const { users, minute, month } = await ctx.stores.eventCounts.read(
    { own: scope, shared: scope },
    now,
  )
  return {
    storedUsers: { used: users, limit: limits.storedUsers, resetsAt: null },
    eventsThisMinute: {
      used: minute.used,
      limit: limits.eventsPerMinute,
      resetsAt: minuteEnd(now),
    },
    loginStartsThisMinute: {
      ...loginStartUsage(minute, limits.eventsPerMinute),
      resetsAt: minuteEnd(now),
    },
    eventsThisMonth: { used: month.used, limit: limits.eventsPerMonth, resetsAt: monthEnd(now) },
    loginStartsThisMonth: {
      ...loginStartUsage(month, limits.eventsPerMonth),
      resetsAt: monthEnd(now),
    },
  }
}
