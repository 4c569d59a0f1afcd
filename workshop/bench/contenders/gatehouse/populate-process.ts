import { writeFileSync } from 'node:fs'
import { DEFAULT_WEBHOOK_KINDS } from '@gatehouse-auth/contract'
import { type App, openApp } from '../../../../service/src/app.ts'
import { readConfig } from '../../../../service/src/config.ts'
import type { TransactionStores } from '../../../../service/src/domain/stores/stores.ts'
import { newTenant } from '../../../../service/src/domain/tenants/tenant.ts'
import {
  mintWebhookSecret,
  newWebhookId,
  sealWebhookSecret,
} from '../../../../service/src/domain/webhooks/webhook.ts'
import { serviceLog } from '../../../../service/src/log.ts'
import type { Context } from '../../../../service/src/operations/context.ts'
import { openSession } from '../../../../service/src/operations/sessions/open-session.ts'
import { keyHashes, mintKeyPair } from '../../../../service/src/operations/tenants/keys.ts'
import type { Endpoints, PopulatedTenant, Population, PopulationPlan } from './populate.ts'

// Populates the database of its environment with the service's own operations and stores, and writes the created keys and
// tokens to a file. The service under test starts afterwards.

const TENANTS_PER_TRANSACTION = 50
const ISSUER = 'https://accounts.google.com'
const DEFAULT_ENDPOINT = {
  perTenant: 1,
  url: 'https://app.example.com/webhooks',
  events: DEFAULT_WEBHOOK_KINDS,
}
const NO_ENDPOINT = { ...DEFAULT_ENDPOINT, perTenant: 0 }
/** More than a tier allows: one tenant with as many as many tenants have. */
const ENDPOINTS_MAX = 1_000

const [, , planText = '', file = ''] = process.argv
const plan = JSON.parse(planText) as PopulationPlan
const app = await open()
// The service's PostgreSQL connections don't keep the process alive, not even while it closes.
const keepAlive = setInterval(() => {}, 1_000)
const tenants: PopulatedTenant[] = []
while (tenants.length < plan.tenants) {
  const first = tenants.length
  const count = Math.min(TENANTS_PER_TRANSACTION, plan.tenants - first)
  const batch = await app.ctx.stores.transaction(async (stores) => {
    const created: PopulatedTenant[] = []
    for (let number = first; number < first + count; number++) {
      created.push(await createTenant(app.ctx, stores, number))
    }
    return created
  })
  tenants.push(...batch)
}
await app.close()
clearInterval(keepAlive)
writeFileSync(file, JSON.stringify({ tenants } satisfies Population), { mode: 0o600 })

async function open(): Promise<App> {
  const read = readConfig(process.env)
  if (!read.ok) {
    throw new Error(read.problems.join('\n'))
  }
  return openApp({ config: read.config, log: serviceLog({ write: () => {} }) })
}

async function createTenant(
  ctx: Context,
  stores: TransactionStores,
  number: number,
): Promise<PopulatedTenant> {
  const now = ctx.now()
  const owner = plan.guests ? null : await proOwner(stores, number, now)
  const origin = plan.guests ? 'genesis' : 'bootstrap'
  const tenant = newTenant({ origin, profile: ctx.profile, now, owner }, ctx.random)
  const keys = mintKeyPair(ctx)
  await stores.tenants.create(tenant, keyHashes(ctx, keys))
  const resource = await stores.resources.provision(tenant.id, [plan.callbackUrl], now)
  const { perTenant, ...endpoint } =
    plan.webhooks === true ? DEFAULT_ENDPOINT : plan.webhooks || NO_ENDPOINT
  for (let each = 0; each < perTenant; each++) {
    await addWebhook(ctx, stores, tenant.id, endpoint)
  }
  const sessions: PopulatedTenant['sessions'][number][] = []
  for (let each = 0; each < plan.sessionsPerTenant; each++) {
    const user = await stores.users.insert(resource, profile(`user-${number}-${each}`), now)
    const pair = await openSession(ctx, stores, { tenant, resource, user, now })
    const { id, email, name, picture } = user
    sessions.push({
      access_token: pair.accessToken,
      refresh_token: pair.refreshToken,
      user: { id, email, name, picture },
    })
  }
  for (let each = 0; each < plan.usersPerTenant; each++) {
    await stores.users.insert(resource, profile(`extra-${number}-${each}`), now)
  }
  return { id: tenant.id, managementKey: keys.managementKey, sessions }
}

async function proOwner(stores: TransactionStores, number: number, now: number) {
  const { id } = await stores.accounts.signIn(profile(`owner-${number}`), now)
  await stores.accounts.setTier(id, 'pro')
  return { accountId: id, tier: 'pro' } as const
}

async function addWebhook(
  ctx: Context,
  stores: TransactionStores,
  tenantId: string,
  { url, events }: Omit<Endpoints, 'perTenant'>,
): Promise<void> {
  const ref = { tenantId, id: newWebhookId(ctx.random) }
  const sealed = sealWebhookSecret(ctx.keyring, ref, mintWebhookSecret(ctx.random), ctx.random)
  await stores.webhooks.add(
    { ...ref, url, events: [...events], sealed, cursor: 0, createdAt: ctx.now() },
    ENDPOINTS_MAX,
  )
}

function profile(subject: string) {
  const name = `User ${subject}`
  return {
    issuer: ISSUER,
    subject,
    email: `${subject}@example.com`,
    name,
    picture: `https://example.com/${subject}.png`,
  }
}
