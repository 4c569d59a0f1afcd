import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chargesFor } from '../../../src/domain/limits/allowance.ts'
import type { Feedback } from '../../../src/domain/tenants/feedback.ts'
import { GUEST_LIFETIME_MS } from '../../../src/domain/tenants/tenant.ts'
import { markSocialLoginDeleted } from '../../../src/operations/tenants/purge-resource.ts'
import { TENANT_TABLES } from '../../../src/storage/tenants/ownership.ts'
import { ENGINES } from '../../support/postgres/engines.ts'
import {
  appendEvent,
  consentOf,
  googleProfile,
  guest,
  HOUR_MS,
  NOW,
  newEvent,
  openTestStorage,
  raw,
  signInUser,
  startedAttempt,
  type TestStorage,
} from '../../support/postgres/storage.ts'
import { slow } from '../../support/tags.ts'

const END = NOW + GUEST_LIFETIME_MS

const pair = (name: string) =>
  [
    { kind: 'management', hash: `${name}-management` },
    { kind: 'application', hash: `${name}-application` },
  ] as const

for (const engine of ENGINES) {
  test(`[${engine}] replaced keys work until their expiry, and new keys at once`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    await stores.tenants.create(guest('one-two', profile), pair('first'))
    await stores.tenants.create(guest('three-four', profile), pair('theirs'))
    const works = async (hash: string, now: number) =>
      (await stores.tenants.findByKey([hash], now))?.tenant.id === 'one-two'

    const day = 24 * HOUR_MS
    await stores.ownership.replaceKeys('one-two', pair('second'), NOW + day, NOW)
    for (const { hash } of pair('first')) {
      assert.equal(await works(hash, NOW + day - 1), true)
      assert.equal(await works(hash, NOW + day), false)
    }
    for (const { hash } of pair('second')) {
      assert.equal(await works(hash, NOW + 1_000 * day), true)
    }

    // Replaced again within the day: the first pair keeps its expiry, the second gets its own.
    await stores.ownership.replaceKeys('one-two', pair('third'), NOW + day + HOUR_MS, NOW + HOUR_MS)
    assert.equal(await works('first-management', NOW + day), false)
    assert.equal(await works('second-management', NOW + day + HOUR_MS - 1), true)
    assert.equal(await works('second-management', NOW + day + HOUR_MS), false)

    // A shorter overlap than before applies to all.
    await stores.ownership.replaceKeys(
      'one-two',
      pair('fourth'),
      NOW + 3 * HOUR_MS,
      NOW + 2 * HOUR_MS,
    )
    for (const name of ['first', 'second', 'third']) {
      assert.equal(await works(`${name}-application`, NOW + 3 * HOUR_MS - 1), true)
      assert.equal(await works(`${name}-application`, NOW + 3 * HOUR_MS), false)
    }
    assert.equal(
      (await stores.tenants.findByKey(['theirs-management'], NOW + 1_000 * day))?.tenant.id,
      'three-four',
    )
  })

  // proves S026
  test(`[${engine}] expired keys are deleted at the next replacement; a failed replacement changes nothing`, async (t) => {
    const { stores, profile, database } = await openTestStorage(t, engine)
    await stores.tenants.create(guest('one-two', profile), pair('first'))
    await assert.rejects(stores.ownership.replaceKeys('one-two', pair('first'), NOW + 5, NOW))
    assert.notEqual(await stores.tenants.findByKey(['first-management'], NOW + HOUR_MS), null)

    await stores.ownership.replaceKeys('one-two', pair('second'), NOW + 5, NOW)
    await stores.ownership.replaceKeys('one-two', pair('third'), NOW + 20, NOW + 5)
    const left = (await raw(database, 'select hash from tenant_keys order by hash')).map(
      ({ hash }) => hash,
    )
    assert.deepEqual(left, [
      'second-application',
      'second-management',
      'third-application',
      'third-management',
    ])
  })

  test(`[${engine}] after concurrent replacements, one pair of keys has no expiry`, async (t) => {
    const one = await openTestStorage(t, engine)
    const two = await openTestStorage(t, engine, { database: one.database })
    await one.stores.tenants.create(guest('one-two', one.profile), pair('first'))
    const replace = ({ stores }: TestStorage, name: string) =>
      stores.ownership.replaceKeys('one-two', pair(name), NOW + 10, NOW)
    await Promise.all([
      replace(one, 'second'),
      replace(two, 'third'),
      replace(one, 'fourth'),
      replace(two, 'fifth'),
    ])
    assert.equal(
      (await raw(one.database, 'select hash from tenant_keys where expires_at is null')).length,
      2,
    )
    assert.equal(
      (await raw(one.database, `select hash from tenant_keys where expires_at = ${NOW + 10}`))
        .length,
      8,
    )
  })

  test(`[${engine}] a tenant ends once, at its expiry if that has passed, otherwise now`, async (t) => {
    const { stores, profile, published } = await openTestStorage(t, engine)
    await stores.tenants.create(guest('overdue', profile), pair('overdue'))
    await stores.tenants.create(guest('early', profile), pair('early'))
    await stores.tenants.create(
      guest('owned', profile, { expiresAt: null, claimedAt: NOW }),
      pair('owned'),
    )

    assert.equal(await stores.ownership.end('overdue', END + 5), true)
    assert.equal(await stores.ownership.end('early', NOW + 5), true)
    assert.equal(await stores.ownership.end('owned', NOW + 5), true)
    assert.equal(await stores.ownership.end('owned', NOW + 6), false)
    assert.equal(await stores.ownership.end('unknown', NOW + 6), false)
    const ends: (number | null | undefined)[] = []
    for (const id of ['overdue', 'early', 'owned']) {
      ends.push((await stores.tenants.find(id))?.expiresAt)
    }
    assert.deepEqual(ends, [END, NOW + 5, NOW + 5])
    assert.equal(
      (await stores.tenants.findByKey(['owned-management'], END))?.tenant.id,
      'owned',
      'a tombstone is still found by its key',
    )
    assert.deepEqual(
      published.map(({ changedTenants }) => changedTenants),
      [['overdue'], ['early'], ['owned']],
    )
  })

  test(`[${engine}] an owner lists their tenants, the last claimed first; the operator lists all`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    const ada = await stores.accounts.signIn(googleProfile('ada'), NOW)
    const eve = await stores.accounts.signIn(googleProfile('eve'), NOW)
    for (const id of ['b-old', 'a-new', 'c-ended', 'd-eves', 'e-guest']) {
      await stores.tenants.create(guest(id, profile), [])
    }
    await stores.ownership.claim('b-old', ada.id, NOW + 1)
    await stores.ownership.claim('c-ended', ada.id, NOW + 2)
    await stores.ownership.claim('a-new', ada.id, NOW + 3)
    await stores.ownership.claim('d-eves', eve.id, NOW + 4)
    await stores.ownership.end('c-ended', NOW + 5)
    const ids = (tenants: readonly { readonly id: string }[]) => tenants.map(({ id }) => id)

    assert.deepEqual(ids(await stores.ownership.ownedBy(ada.id)), ['a-new', 'b-old'])
    assert.deepEqual(ids(await stores.ownership.ownedBy(eve.id)), ['d-eves'])
    assert.deepEqual(ids(await stores.ownership.page('', 2)), ['a-new', 'b-old'])
    assert.deepEqual(ids(await stores.ownership.page('b-old', 9)), ['c-ended', 'd-eves', 'e-guest'])
    await stores.accounts.setTier(ada.id, 'pro')
    assert.deepEqual((await stores.ownership.page('', 1))[0]?.owner, {
      accountId: ada.id,
      tier: 'pro',
    })
  })

  test(`[${engine}] expired guests and old tombstones are listed, the oldest first`, async (t) => {
    const { stores, profile } = await openTestStorage(t, engine)
    for (const [id, expiresAt] of [
      ['second', END + 1],
      ['first', END],
      ['third', END + 2],
      ['later', END + 100],
      ['owned', null],
    ] as const) {
      await stores.tenants.create(guest(id, profile, { expiresAt }), [])
    }
    const overdue = async (now: number, limit: number) =>
      (await stores.ownership.listOverdue(now, limit)).map(({ id }) => id)
    assert.deepEqual(await overdue(END - 1, 9), [])
    assert.deepEqual(await overdue(END, 9), ['first'])
    assert.deepEqual(await overdue(END + 2, 2), ['first', 'second'])
    await stores.ownership.end('first', END + 10)
    await stores.ownership.end('second', END + 20)
    assert.deepEqual(await overdue(END + 20, 9), ['third'])

    assert.deepEqual(await stores.ownership.listTombstones(END + 10, 9), [])
    assert.deepEqual(await stores.ownership.listTombstones(END + 11, 9), ['first'])
    assert.deepEqual(await stores.ownership.listTombstones(END + 99, 1), ['first'])
    assert.deepEqual(await stores.ownership.listTombstones(END + 99, 9), ['first', 'second'])
  })

  test(`[${engine}] the list of a tenant's tables, which says what removes their rows, is that of the schema`, async (t) => {
    const storage = await openTestStorage(t, engine)
    const named: string[] = []
    for (const table of await tables(storage)) {
      if ((await columnsOf(storage, table)).includes('tenant_id')) {
        named.push(table)
      }
    }
    assert.deepEqual(named.sort(), Object.keys(TENANT_TABLES).sort())
  })

  test(`[${engine}] the deletion of a social login removes the rows of exactly the tables that the list says`, {
    skip: slow,
  }, async (t) => {
    const storage = await openTestStorage(t, engine)
    const { stores } = storage
    await fill(storage, 'one-two')
    const deleted = await stores.transaction((open) => markSocialLoginDeleted(open, 'one-two', NOW))
    while ((await stores.resources.purge('one-two', deleted?.id ?? 0, 10)).rows > 0) {}
    const left = await tablesWith(storage, 'one-two')
    for (const [table, removedWith] of Object.entries(TENANT_TABLES)) {
      assert.equal(
        left.includes(table),
        removedWith === 'tenant' || removedWith === 'kept',
        `${table}: ${removedWith}`,
      )
    }
  })

  // proves S026
  test(`[${engine}] a purged tenant has rows in no table except feedback`, {
    skip: slow,
  }, async (t) => {
    const storage = await openTestStorage(t, engine)
    const { stores } = storage
    await fill(storage, 'one-two')
    await fill(storage, 'three-four')
    const full = await tablesWith(storage, 'one-two')
    assert.deepEqual(
      full,
      await tablesThatNameTenants(storage),
      'every table with a tenant has a row',
    )

    await stores.ownership.purgeTenant('one-two')
    assert.deepEqual(
      await tablesWith(storage, 'one-two'),
      full,
      'a tenant that has not ended is not purged',
    )

    await stores.transaction(async (open) => {
      await open.resources.markDeleted('one-two', NOW)
      await open.ownership.end('one-two', NOW)
    })
    const [deleting] = await stores.resources.listDeleting(1)
    while ((await stores.resources.purge('one-two', deleting?.id ?? 0, 10)).rows > 0) {}
    await stores.sweepRevocations(END + 1_000 * HOUR_MS, 1_000)
    await stores.ownership.purgeTenant('one-two')
    await stores.ownership.purgeTenant('one-two')

    assert.deepEqual(await tablesWith(storage, 'one-two'), ['feedback'])
    assert.equal((await stores.tenants.find('three-four'))?.id, 'three-four')
    const others = full.filter((table) => table !== 'revocations')
    assert.deepEqual(
      await tablesWith(storage, 'three-four'),
      others,
      'the other tenant is unchanged',
    )
  })
}

/** Adds a row of this tenant to every table that can have one. */
async function fill({ stores, profile }: TestStorage, tenantId: string): Promise<void> {
  const { resource, userId, session } = await signInUser(stores, tenantId)
  await appendEvent(stores, resource, newEvent('authorize', { userId }))
  await stores.events.tally(resource, 10)
  const removal = {
    tenantId,
    resourceId: resource.id,
    userId,
    requestedAt: NOW,
    requestId: 'request',
  }
  await stores.removals.add(removal)
  await stores.identities.add(resource, userId, {
    ...googleProfile(`added-${tenantId}`),
    lastSeen: NOW,
  })
  const other = await stores.sessions.start(resource, session)
  await stores.sessions.end(resource, other.id, NOW)
  await stores.tenants.create(guest(tenantId, profile), pair(tenantId))
  const kind = {
    step: 'start',
    code: 'rateLimited',
    differs: null,
    sent: null,
    closest: null,
  } as const
  await stores.refusals.add([{ ...kind, tenantId, count: 1, firstAt: NOW, lastAt: NOW }], 0, 50)
  const action = {
    actor: 'operator',
    action: 'settings.changed',
    target: null,
    requestId: 'request',
  } as const
  await stores.audit.append({ ...action, tenantId, at: NOW }, 10)
  await stores.edgeSessions.add(`edge-${tenantId}`, tenantId, NOW)
  const code = {
    hash: `code-${tenantId}`,
    userId,
    openId: null,
    challenge: 'c',
    redirectUri: 'https://app.example.com/cb',
  }
  await stores.signingKeys.add({
    tenantId: tenantId,
    masterKid: 1,
    publicKey: { kty: 'RSA', n: 'n', e: 'AQAB', kid: 'kid', alg: 'RS256', use: 'sig' },
    sealed: new Uint8Array(8),
    createdAt: NOW,
  })
  await stores.loginCodes.add(resource, { ...code, expiresAt: NOW })
  await stores.consents.remember(resource, consentOf(userId))
  const invitation = {
    tenantId,
    id: 'inv_1',
    hash: `invitation-${tenantId}`,
    email: null,
    claims: {},
    uses: 1,
  }
  await stores.invitations.add({ ...invitation, createdAt: NOW, expiresAt: NOW }, 1)
  await stores.attempts.add(startedAttempt(tenantId, { id: `attempt-${tenantId}` }))
  await stores.counters.spend({ scope: `tenant:${tenantId}`, window: 'users', start: 0 }, 1, null)
  await stores.eventCounts.add(chargesFor(guest(tenantId, 'v1-1'), 'authorize', NOW))
  const claim = { tenantId, confirmationCode: 'ABC234', createdAt: NOW, expiresAt: NOW + 1 }
  await stores.claims.open(claim, `token-1-${tenantId}`, `wait-1-${tenantId}`)
  await stores.claims.open(claim, `token-2-${tenantId}`, `wait-2-${tenantId}`)
  const request = {
    method: 'GET',
    route: '/api/status',
    status: 200,
    ms: 1.5,
    requestId: 'request',
  }
  await stores.requestRecords.append([{ tenantId, at: NOW, ...request }])
  const feedback: Omit<Feedback, 'id'> = {
    tenantId,
    kind: 'service',
    text: 'Good.',
    createdAt: NOW,
  }
  await stores.feedback.append(
    { ...feedback, accountId: null, tokenHash: null },
    { since: 0, limit: 1 },
  )
  await stores.creations.take(`scope-${tenantId}`, tenantId, NOW)
  await stores.credentials.add(tenantId, new Uint8Array([1, 2, 3]), NOW)
  await stores.brands.set(
    tenantId,
    { name: 'Notes', privacyUrl: null, termsUrl: null, accent: null },
    NOW,
  )
  await stores.brands.setLogo(tenantId, { hash: 'hash', size: 64, png: new Uint8Array([1]) }, NOW)
  await stores.domains.add({ tenantId, host: 'app.example.com' }, NOW, 1)
  const ref = { tenantId, id: 'wh_1' }
  const webhook = {
    ...ref,
    url: 'https://app.example.com/hook',
    events: ['authorize', 'user.created'],
    cursor: 0,
    createdAt: NOW,
  } as const
  await stores.providerClients.add({
    tenantId,
    id: 'pc_1',
    provider: 'github',
    mode: 'own',
    clientId: 'client',
    issuer: null,
    displayName: null,
    sealed: new Uint8Array([1, 2, 3]),
    redirectUri: 'https://app.example.com/relay',
    status: 'pending',
    createdAt: NOW,
    testedAt: null,
    retiredAt: null,
  })
  await stores.webhooks.add({ ...webhook, sealed: new Uint8Array([1, 2, 3]) }, 1)
  await stores.webhookQueue.addRetries(ref, [1], NOW)
  await stores.userMessages.record(tenantId, 'user.created', [{ id: 1 }], NOW)
  await stores.deliveryLog.append(ref, {
    type: 'social_login.authorize',
    eventId: 1,
    attempt: 1,
    at: NOW,
    status: 500,
    ms: 1,
    error: null,
  })
}

async function tablesWith(
  { database, ...storage }: TestStorage,
  tenantId: string,
): Promise<string[]> {
  const found: string[] = []
  for (const table of await tables({ database, ...storage })) {
    const rows = await raw(database, `select * from ${table}`)
    if (JSON.stringify(rows).includes(tenantId)) {
      found.push(table)
    }
  }
  return found
}

async function tables({ database }: TestStorage): Promise<string[]> {
  const named =
    database.engine === 'sqlite'
      ? `select name from pragma_table_list where schema = 'main' and type = 'table' order by name`
      : `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`
  return (await raw(database, named)).map(({ name }) => String(name))
}

async function tablesThatNameTenants(storage: TestStorage): Promise<string[]> {
  const found: string[] = []
  for (const table of await tables(storage)) {
    const names = await columnsOf(storage, table)
    if (names.includes('tenant_id') || names.includes('scope') || table === 'tenants') {
      found.push(table)
    }
  }
  return found
}

async function columnsOf({ database }: TestStorage, table: string): Promise<unknown[]> {
  const columns =
    database.engine === 'sqlite'
      ? `select name from pragma_table_info('${table}')`
      : `select column_name as name from information_schema.columns where table_name = '${table}'`
  return (await raw(database, columns)).map(({ name }) => name)
}
