import assert from 'node:assert/strict'
import { test } from 'node:test'
import { USER_MESSAGES, WEBHOOK_TYPES } from '@gatehouse-auth/contract'
import { sweep } from '../../../src/operations/sweep.ts'
import { endTenant } from '../../../src/operations/tenants/end-tenant.ts'
import { OPERATOR } from '../../../src/operations/tenants/operator.ts'
import type { ApiResponse } from '../../support/actors/agent.ts'
import { openClaim, requestClaim } from '../../support/actors/claim.ts'
import { ownedTenant } from '../../support/actors/providers.ts'
import { addWebhook } from '../../support/actors/webhooks.ts'
import { databaseOf } from '../../support/postgres/database-rows.ts'
import { sqliteOnly } from '../../support/postgres/engines.ts'
import { raw } from '../../support/postgres/storage.ts'
import { waitUntil } from '../../support/process/wait-until.ts'
import { slow } from '../../support/tags.ts'
import { receiver } from '../../support/webhook-receiver.ts'
import { type World, world } from '../../support/world.ts'

const USERS = '/api/social-login/users'
/** Of each of the two writes, at once. */
const EACH = 2
const GUESTS = 10

type Write = () => Promise<ApiResponse | undefined>

/** Writes about one user and one tenant that take different locks; each can be repeated at any time. */
async function writesOf(service: World, hook: string): Promise<ReadonlyMap<string, Write>> {
  const { agent, app } = service
  const { tenant } = await ownedTenant(service)
  const endpoint = await addWebhook(tenant, hook, USER_MESSAGES)
  const signIn = (subject: string, name: string) =>
    tenant.manage('POST', '/api/social-login/test-sessions', {
      email: `${subject}@example.com`,
      subject,
      name,
    })
  const ada = (await signIn('ada', 'Ada')).json.user.id
  const second = (await signIn('second', 'Second')).json.user.id
  await tenant.manage('POST', `${USERS}/${ada}/merge`, { from: second })
  const user = `${USERS}/${ada}`
  let count = 0
  const ndjson = { 'Content-Type': 'application/x-ndjson' }
  const idOf = async (subject: string): Promise<number> =>
    (await signIn(subject, 'New')).json.user?.id ?? 0
  const callback_urls = ['https://app.example.com/callback', 'http://localhost:3000/callback']
  return new Map<string, Write>([
    ['provision', () => tenant.manage('POST', '/api/resources/social-login', { callback_urls })],
    ['sign-in', () => signIn('ada', `Ada ${count++}`)],
    ['claims', () => tenant.manage('PUT', `${user}/claims`, { claims: { n: count++ } })],
    ['metadata', () => tenant.manage('PUT', `${user}/metadata`, { metadata: { n: count++ } })],
    ['block', () => tenant.manage('POST', `${user}/block`)],
    ['unblock', () => tenant.manage('POST', `${user}/unblock`)],
    [
      'pin',
      () =>
        tenant.manage('PATCH', `${user}/identities/google?subject=second`, {
          pinned: count++ % 2 === 0,
        }),
    ],
    ['end sessions', () => tenant.manage('DELETE', `${user}/sessions`)],
    [
      'merge',
      async () => tenant.manage('POST', `${user}/merge`, { from: await idOf(`new${count++}`) }),
    ],
    [
      'delete a user',
      async () => tenant.manage('DELETE', `${USERS}/${await idOf(`gone${count++}`)}`),
    ],
    [
      'import',
      () =>
        agent.call('POST', '/api/social-login/import', {
          key: tenant.key,
          body: imported(),
          headers: ndjson,
        }),
    ],
    [
      'set a provider',
      () => tenant.manage('PUT', '/api/social-login/providers/github', { mode: 'shared' }),
    ],
    [
      'change a webhook',
      () =>
        tenant.manage('PATCH', endpoint.path, {
          events: count++ % 2 ? WEBHOOK_TYPES : USER_MESSAGES,
        }),
    ],
    ['deliver', async () => void (await app.deliver())],
    ['sweep', async () => void (await sweep(app.ctx))],
  ])

  function imported(): string {
    const rows = Array.from({ length: 5 }, () => `import${count++}`)
    return rows
      .map((subject) => JSON.stringify({ subject, email: `${subject}@example.com` }))
      .join('\n')
  }
}

/** Approves the claim of a guest and changes it while it ends. */
async function endGuest({ agent, app, browser }: World): Promise<void> {
  const tenant = await agent.createTenant()
  const stored = (await app.ctx.stores.tenants.find(tenant.id)) ?? assert.fail()
  const owner = browser()
  await openClaim(owner, await requestClaim(tenant))
  const [invited, changed] = await Promise.all([
    tenant.manage('POST', '/api/social-login/invitations'),
    tenant.manage('PUT', '/api/social-login/providers/github', { mode: 'shared' }),
    owner.press('Approve'),
    endTenant(app.ctx, stored, 'deleted', OPERATOR),
  ])
  for (const { status, text } of [invited, changed, owner.page]) {
    assert.ok(status < 500, text)
  }
}

test('no two writes of a tenant wait for each other', { skip: sqliteOnly || slow }, async (t) => {
  const env = { DEV_UNLIMITED: '1' }
  const first = await world(t, { engine: 'postgres', env })
  const database = databaseOf(first)
  const [named] = await raw(database, 'select current_database() as name')
  // A deadlock ends only when PostgreSQL finds it: it is found sooner, not less often.
  await raw(database, `alter database ${named?.name} set deadlock_timeout = '20ms'`)
  await first.stop()
  const service = await world(t, { like: first, env })
  const writes = [...(await writesOf(service, (await receiver(t)).url))]
  for (const [index, [one, write]] of writes.entries()) {
    for (const [other, against] of writes.slice(index)) {
      const both = Array.from({ length: EACH }, () => [write(), against()]).flat()
      for (const response of await Promise.all(both)) {
        assert.ok((response?.status ?? 0) < 500, `${one} and ${other}: ${response?.text}`)
      }
    }
  }
  for (let round = 0; round < GUESTS; round++) {
    await endGuest(service)
  }
  // Connections report their deadlocks when they close.
  await service.stop()
  const open =
    'select count(*)::int as count from pg_stat_activity where datname = current_database()'
  await waitUntil(
    'the connections are closed',
    async () => (await raw(database, open))[0]?.count === 1,
  )
  const deadlocks = 'select deadlocks::int from pg_stat_database where datname = current_database()'
  assert.deepEqual(await raw(database, deadlocks), [{ deadlocks: 0 }])
})
