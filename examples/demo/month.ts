import {
  authorized,
  loginFailed,
  loginStarted,
} from '../../service/src/domain/events/auth-event.ts'
import { ACCESS_TOKEN_MS } from '../../service/src/domain/sessions/session.ts'
import type { Resource } from '../../service/src/domain/stores/stores.ts'
import type { Tenant } from '../../service/src/domain/tenants/tenant.ts'
import type { Context } from '../../service/src/operations/context.ts'
import { recordAuthEvent } from '../../service/src/operations/limits/count-auth-event.ts'
import { logOut } from '../../service/src/operations/sessions/end-session.ts'
import { openSession } from '../../service/src/operations/sessions/open-session.ts'
import { refreshSession } from '../../service/src/operations/sessions/refresh-session.ts'
import { USERS, userProfile } from './users.ts'

const DAY_MS = 24 * 3_600_000
export const DAYS = 30
export const CALLBACK = 'https://notes.example.com/callback'

interface Month {
  readonly ctx: Context
  readonly tenant: Tenant
  readonly resource: Resource
  /** The refresh tokens of users who are signed in, by their number. */
  readonly sessions: Map<number, string>
}

interface Visit {
  readonly at: number
  readonly user: number
  readonly number: number
}

export const withClock = (ctx: Context, now: number): Context => ({ ...ctx, now: () => now })

/** Something that happens at a time. It may lead to later steps of the same visit. */
interface Step {
  readonly at: number
  run(): Promise<readonly Step[]>
}

/** Runs every step in the order of time, so that the history is in the order in which it happened. */
export async function seedMonth(month: Month, startedAt: number): Promise<void> {
  const steps = visits(startedAt).map((each) => stepsOf(month, each))
  for (;;) {
    steps.sort((a, b) => a.at - b.at)
    const next = steps.shift()
    if (next === undefined || next.at >= month.ctx.now()) {
      return
    }
    steps.push(...(await next.run()))
  }
}

/** More visits on weekdays, and growth over the month, so that the charts look realistic. */
function visits(startedAt: number): Visit[] {
  const all: Visit[] = []
  for (let day = 0; day < DAYS; day++) {
    const weekend = [0, 6].includes(new Date(startedAt + day * DAY_MS).getUTCDay())
    const count = Math.round((4 + day / 2) * (weekend ? 0.4 : 1)) + (day % 3)
    for (let visit = 0; visit < count; visit++) {
      const at =
        startedAt + day * DAY_MS + 120_000 + Math.floor(((visit + 0.5) / count) * 14 * 3_600_000)
      all.push({ at, user: (day * 7 + visit * 3) % USERS, number: all.length })
    }
  }
  return all
}

/** A user who is still signed in returns; others sign in, and some of these fail. Two of three sign out at the end. */
function stepsOf(
  { ctx, tenant, resource, sessions }: Month,
  { at, user: userNumber, number }: Visit,
): Step {
  const refresh = async (now: Context): Promise<void> => {
    const refreshToken = sessions.get(userNumber)
    if (refreshToken === undefined) {
      return
    }
    const { pair } = await refreshSession(now, {
      tenantId: tenant.id,
      refreshToken,
      idempotencyKey: null,
    })
    sessions.set(userNumber, pair.refreshToken)
  }
  const leave: Step = {
    at: at + 2 * ACCESS_TOKEN_MS + 600_000,
    async run() {
      const refreshToken = sessions.get(userNumber)
      sessions.delete(userNumber)
      if (refreshToken !== undefined) {
        await logOut(withClock(ctx, leave.at), { tenantId: tenant.id, refreshToken })
      }
      return []
    },
  }
  const stay: Step = {
    at: at + ACCESS_TOKEN_MS,
    async run() {
      await refresh(withClock(ctx, stay.at))
      return []
    },
  }
  return {
    at,
    async run() {
      const now = withClock(ctx, at)
      if (sessions.has(userNumber)) {
        await refresh(now)
      } else if (
        !(await signIn({ ctx: now, tenant, resource, sessions }, userNumber, number % 23 === 22))
      ) {
        return []
      }
      return [...(number % 2 === 0 ? [stay] : []), ...(number % 3 === 0 ? [] : [leave])]
    },
  }
}

/** Returns whether it succeeded. */
async function signIn(
  { ctx, tenant, resource, sessions }: Month,
  userNumber: number,
  fails: boolean,
): Promise<boolean> {
  const now = ctx.now()
  const route = { redirectUri: CALLBACK, returnTo: null, provider: 'google' } as const
  const profile = userProfile(ctx.baseUrl, userNumber)
  return ctx.stores.transaction(async (stores) => {
    await recordAuthEvent(ctx, stores, tenant, resource, loginStarted(route, now))
    if (fails) {
      const failure = { stage: 'token_exchange', errorCode: 'timeout' } as const
      await recordAuthEvent(ctx, stores, tenant, resource, loginFailed(route, failure, now))
      return false
    }
    const known = await stores.users.findBySubject(resource, profile.issuer, profile.subject)
    const user = known ?? (await stores.users.insert(resource, profile, now))
    if (known === null) {
      await stores.counters.spend(
        { scope: `account:${tenant.owner?.accountId ?? 0}`, window: 'users', start: 0 },
        1,
        null,
      )
    } else {
      await stores.users.update(resource, user.id, profile, now)
    }
    const { refreshToken } = await openSession(ctx, stores, { tenant, resource, user, now })
    sessions.set(userNumber, refreshToken)
    await recordAuthEvent(
      ctx,
      stores,
      tenant,
      resource,
      authorized(route, user, known === null, now),
    )
    return true
  })
}
