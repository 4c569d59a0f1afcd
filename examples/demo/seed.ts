import {
  authorized,
  loggedOut,
  loginFailed,
  loginStarted,
  tokenRefreshed,
} from '../../service/src/domain/events/auth-event.ts'
import type { Profile } from '../../service/src/domain/login/identity-provider.ts'
import { ACCESS_TOKEN_MS } from '../../service/src/domain/sessions/session.ts'
import type { Resource } from '../../service/src/domain/stores/stores.ts'
import type { Tenant } from '../../service/src/domain/tenants/tenant.ts'
import { SAMPLE_USERS } from '../../service/src/identity/development/sample-users.ts'
import type { Context } from '../../service/src/operations/context.ts'
import { recordAuthEvent } from '../../service/src/operations/limits/count-auth-event.ts'
import { openSession } from '../../service/src/operations/sessions/open-session.ts'
import { provisionSocialLogin } from '../../service/src/operations/social-login/provision-social-login.ts'
import { createGuestTenant } from '../../service/src/operations/tenants/create-guest-tenant.ts'

const DAY_MS = 24 * 3_600_000
const DAYS = 30
const CALLBACK = 'https://notes.example.com/callback'

/**
 * Creates a claimed tenant with a month of logins. Its owner is Ada Lovelace of the development identity provider: sign in
 * as her at /account. The users are invented; the service's own operations write everything, with a past clock.
 */
export async function seedDemo(ctx: Context): Promise<Tenant> {
  const startedAt = ctx.now() - DAYS * DAY_MS
  const past = withClock(ctx, startedAt)
  const { tenant: guest } = await createGuestTenant(past, { addressKey: 'demo', origin: 'genesis' })
  const { resource } = await provisionSocialLogin(
    past,
    guest,
    { callbackUrls: [CALLBACK], pathOf: () => 'callback_urls' },
    { actor: 'operator', requestId: 'demo' },
  )
  const account = await ctx.stores.accounts.signIn(adaProfile(ctx.baseUrl), startedAt)
  await ctx.stores.ownership.claim(guest.id, account.id, startedAt + 60_000)
  const tenant = await ctx.stores.tenants.find(guest.id)
  if (tenant === null) throw new Error('the demo tenant does not exist')

  for (let day = 0; day < DAYS; day++) {
    // More logins on weekdays, and growth over the month, so that the charts look realistic.
    const weekend = [0, 6].includes(new Date(startedAt + day * DAY_MS).getUTCDay())
    const visits = Math.round((2 + day / 4) * (weekend ? 0.4 : 1)) + (day % 3)
    for (let visit = 0; visit < visits; visit++) {
      const time = startedAt + day * DAY_MS + 120_000 + Math.floor(((visit + 0.5) / visits) * 14 * 3_600_000)
      if (time < ctx.now()) await seedVisit(withClock(ctx, time), tenant, resource, (day * 7 + visit * 3) % 40)
    }
  }
  return tenant
}

async function seedVisit(ctx: Context, tenant: Tenant, resource: Resource, userNumber: number): Promise<void> {
  const now = ctx.now()
  const route = { redirectUri: CALLBACK, returnTo: null, provider: 'google' } as const
  const profile = userProfile(ctx.baseUrl, userNumber)
  await ctx.stores.transaction(async (stores) => {
    await recordAuthEvent(ctx, stores, tenant, resource, loginStarted(route, now))
    if (userNumber % 17 === 0) {
      const failure = { stage: 'token_exchange', errorCode: 'timeout' } as const
      await recordAuthEvent(ctx, stores, tenant, resource, loginFailed(route, failure, now))
      return
    }
    const known = await stores.users.findBySubject(resource, profile.issuer, profile.subject)
    const user = known ?? (await stores.users.insert(resource, profile, now))
    if (known === null) {
      await stores.counters.spend(
        { scope: `account:${tenant.owner?.accountId ?? 0}`, window: 'users', start: 0 },
        1,
        null,
      )
    } else await stores.users.update(resource, user.id, profile, now)
    await openSession(ctx, stores, { tenant, resource, user, now })
    await recordAuthEvent(ctx, stores, tenant, resource, authorized(route, user, known === null, now))
    if (userNumber % 3 === 0) {
      await recordAuthEvent(ctx, stores, tenant, resource, tokenRefreshed(user, now + ACCESS_TOKEN_MS))
    }
    if (userNumber % 5 === 0) {
      await recordAuthEvent(ctx, stores, tenant, resource, loggedOut(user, 'user', now + ACCESS_TOKEN_MS * 2))
    }
  })
}

const withClock = (ctx: Context, now: number): Context => ({ ...ctx, now: () => now })

const issuerOf = (baseUrl: string): string => `${baseUrl}/dev/google`

function adaProfile(baseUrl: string): Profile {
  const [person] = SAMPLE_USERS
  if (person === undefined) throw new Error('the development identity provider has no users')
  return { issuer: issuerOf(baseUrl), subject: person.sub, email: person.email, name: person.name, picture: null }
}

const NAMES = [
  'Mary Jackson',
  'Katherine Johnson',
  'Barbara Liskov',
  'Radia Perlman',
  'Edsger Dijkstra',
  'Tony Hoare',
  'Donald Knuth',
  'Frances Allen',
]

const userProfile = (baseUrl: string, number: number): Profile => {
  const name = `${NAMES[number % NAMES.length]} ${number + 1}`
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  return { issuer: issuerOf(baseUrl), subject: `demo-${number}`, email, name, picture: null }
}
