import { SAMPLE_USERS } from '../../service/development/sample-users.ts'
import type { Profile } from '../../service/src/domain/login/identity-provider.ts'
import type { Tenant } from '../../service/src/domain/tenants/tenant.ts'
import type { Context } from '../../service/src/operations/context.ts'
import { createGuestTenant } from '../../service/src/operations/tenants/create-tenant.ts'
import { provisionSocialLogin } from '../../service/src/operations/tenants/provision.ts'
import { CALLBACK, DAYS, seedMonth, withClock } from './month.ts'
import { issuerOf } from './users.ts'

const DAY_MS = 24 * 3_600_000

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
  if (tenant === null) {
    throw new Error('the demo tenant does not exist')
  }

  await seedMonth({ ctx, tenant, resource, sessions: new Map() }, startedAt)
  return tenant
}

function adaProfile(baseUrl: string): Profile {
  const [person] = SAMPLE_USERS
  if (person === undefined) {
    throw new Error('the development identity provider has no users')
  }
  return {
    issuer: issuerOf(baseUrl),
    subject: person.sub,
    email: person.email,
    name: person.name,
    picture: null,
  }
}
