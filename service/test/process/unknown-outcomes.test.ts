import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { openClaim, requestClaim } from '../support/actors/claim.ts'
import { accountOf, tokenFor } from '../support/actors/grants.ts'
import { exchange, signInForCode } from '../support/actors/login-code.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { addWebhook } from '../support/actors/webhooks.ts'
import { type FaultProxy, faultProxy } from '../support/faults/fault-proxy.ts'
import { databaseOf } from '../support/postgres/database-rows.ts'
import { freshPostgres, sqliteOnly } from '../support/postgres/engines.ts'
import { raw } from '../support/postgres/storage.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { type World, world } from '../support/world.ts'

interface Fixture {
  readonly here: World
  readonly proxy: FaultProxy
  /** An access token of an account. */
  readonly token: string
  readonly guest: Tenant
  /** A guest with a webhook. */
  readonly withWebhook: Tenant
  readonly webhookPath: string
}

async function behindProxy(t: TestContext): Promise<Fixture> {
  const proxy = await faultProxy(t, await freshPostgres())
  const here = await world(t, {
    through: 'port',
    engine: 'postgres',
    env: { DATABASE_URL: proxy.url },
  })
  const token = await tokenFor(here, await accountOf(here))
  const withWebhook = await here.agent.createTenant()
  const { path: webhookPath } = await addWebhook(withWebhook, WEBHOOK_URL)
  return { here, proxy, token, guest: await here.agent.createTenant(), withWebhook, webhookPath }
}

interface Creation {
  readonly name: string
  /** The table in which it adds a row. */
  readonly table: string
  readonly status: number
  readonly advice: RegExp
  create(fixture: Fixture): Promise<ApiResponse>
}

const WEBHOOK_URL = 'https://app.example.com/webhooks'
const bootstrapBody = { confirmed: true, idempotency_key: 'lost-response-1' }
const report = { feedback: 'It worked. '.repeat(20), user_authorized: true }

const CREATIONS: readonly Creation[] = [
  {
    name: 'POST /api/genesis',
    table: 'tenants',
    status: 201,
    advice: /may have been created.*ends after 72 hours.*Ask the user/,
    create: ({ here }) => here.agent.call('POST', '/api/genesis'),
  },
  {
    name: 'POST /api/mcp/bootstrap',
    table: 'tenants',
    status: 201,
    advice: /send the same idempotency_key again/,
    create: ({ here, token }) =>
      here.agent.call('POST', '/api/mcp/bootstrap', { key: token, body: bootstrapBody }),
  },
  {
    name: 'POST /api/claim/url',
    table: 'claims',
    status: 200,
    advice: /Request a new one/,
    create: ({ guest }) => guest.manage('POST', '/api/claim/url'),
  },
  {
    name: 'POST /api/feedback/service',
    table: 'feedback',
    status: 200,
    advice: /they may have it twice/,
    create: ({ guest }) => guest.manage('POST', '/api/feedback/service', { feedback: 'x' }),
  },
  {
    name: 'POST /api/feedback',
    table: 'feedback',
    status: 200,
    advice: /they may have it twice/,
    create: ({ guest }) => guest.manage('POST', '/api/feedback', report),
  },
  {
    name: 'POST /api/webhooks',
    table: 'webhooks',
    status: 201,
    advice: /delete it if it is there, and add it again/,
    create: ({ guest }) => guest.manage('POST', '/api/webhooks', { url: WEBHOOK_URL }),
  },
  {
    name: 'POST /api/webhooks/:webhookId/rotate',
    table: 'actions',
    status: 200,
    advice: /Rotate it again/,
    create: ({ withWebhook, webhookPath }) => withWebhook.manage('POST', `${webhookPath}/rotate`),
  },
]

const rowsIn = async ({ here }: Fixture, table: string): Promise<number> =>
  (await raw(databaseOf(here), `select 1 as one from ${table}`)).length

const createOverMcp = ({ here, token }: Fixture): Promise<ApiResponse> =>
  new RawMcpClient(here.agent).request(
    'tools/call',
    { name: 'create_tenant', arguments: bootstrapBody },
    { token },
  )

const ready = ({ here }: Fixture): Promise<void> =>
  waitUntil(
    'the service is ready again',
    async () => (await here.agent.call('GET', '/readyz')).status === 200,
  )

/** The commit reaches the database, its response is lost, and the database stays unreachable. */
const loseCommitAndDatabase = ({ proxy }: Fixture): void => proxy.loseNextCommit(() => proxy.cut())

// Those that look an outcome up in vain take seconds, so they run concurrently.
describe('when the response to a commit is lost', { concurrency: true, skip: sqliteOnly }, () => {
  for (const { name, table, status, advice, create } of CREATIONS) {
    test(`${name} looks the outcome up and returns what was created, once`, async (t) => {
      const fixture = await behindProxy(t)
      const before = await rowsIn(fixture, table)
      fixture.proxy.loseNextCommit()
      const response = await create(fixture)
      assert.equal(response.status, status, response.text)
      assert.equal(await rowsIn(fixture, table), before + 1)
      const { coh_management_key: key, tenant_id } = response.json
      if (table !== 'tenants') {
        return
      }
      assert.equal(
        (await fixture.here.agent.call('GET', '/api/status', { key })).json.tenant_id,
        tenant_id,
      )
    })

    // proves C128, S020
    test(`${name} returns outcomeUnknown and how to find out if the lookup fails too`, async (t) => {
      const fixture = await behindProxy(t)
      const before = await rowsIn(fixture, table)
      loseCommitAndDatabase(fixture)
      const response = await create(fixture)
      assertApiError(response, 'outcomeUnknown')
      assert.equal(response.json.error.retryable, false)
      assert.match(response.json.error.message, advice)
      assert.doesNotMatch(response.text, /[Nn]othing was/)
      fixture.proxy.heal()
      await ready(fixture)
      assert.equal(
        await rowsIn(fixture, table),
        before + 1,
        'it was committed, as the message says it may be',
      )
    })

    test(`${name} that was rolled back returns temporarilyUnavailable, and nothing was consumed`, async (t) => {
      const fixture = await behindProxy(t)
      const before = await rowsIn(fixture, table)
      fixture.proxy.dropNextCommit()
      const response = await create(fixture)
      assertApiError(response, 'temporarilyUnavailable')
      assert.match(response.text, /Nothing was consumed/)
      assert.equal(await rowsIn(fixture, table), before)
      assert.equal((await create(fixture)).status, status)
    })
  }

  test('create_tenant over MCP returns the tenant, or outcomeUnknown, and its key then returns the same tenant', async (t) => {
    const fixture = await behindProxy(t)
    const before = await rowsIn(fixture, 'tenants')
    loseCommitAndDatabase(fixture)
    const unknown = await createOverMcp(fixture)
    assert.equal(unknown.status, 503)
    assert.match(
      unknown.json.error.message,
      /^outcomeUnknown: .*send the same idempotency_key again/,
    )
    assert.doesNotMatch(unknown.text, /[Nn]othing was/)
    fixture.proxy.heal()
    await ready(fixture)
    const repeated = await createOverMcp(fixture)
    assert.equal(repeated.json.result.structuredContent.status, 'claimed')
    assert.equal(await rowsIn(fixture, 'tenants'), before + 1)

    fixture.proxy.loseNextCommit()
    const args = { ...bootstrapBody, idempotency_key: 'lost-response-2' }
    const looked = await new RawMcpClient(fixture.here.agent).call('create_tenant', args, {
      token: fixture.token,
    })
    assert.equal(looked.isError, false, looked.text)
    assert.equal(await rowsIn(fixture, 'tenants'), before + 2)
  })

  test('an owner sees the new keys of an approved claim although the response was lost', async (t) => {
    const fixture = await behindProxy(t)
    const { here, proxy, guest } = fixture
    const owner = here.browser()
    await openClaim(owner, await requestClaim(guest))
    proxy.loseNextCommit()
    await owner.press('Approve', { keys: 'now' })
    assert.equal(owner.page.status, 200)
    const key = /coh_management_key=(svc_man_\w+)/.exec(owner.page.text)?.[1] ?? ''
    assert.equal((await here.agent.call('GET', '/api/status', { key })).json.status, 'claimed')

    loseCommitAndDatabase(fixture)
    await owner.open(`${here.baseUrl}/account/projects/${guest.id}/keys`)
    await owner.press('Replace keys')
    assert.equal(owner.page.status, 503)
    assert.match(owner.page.text, /We can’t tell whether this worked/)
    assert.match(owner.page.text, /Replace them again/)
  })

  // proves C221
  test('the exchange of a code returns outcomeUnknown, because a second use ends the session; with an Idempotency-Key it may be sent again', async (t) => {
    const fixture = await behindProxy(t)
    const { here, proxy, guest } = fixture
    const login = await signInForCode(guest, here.browser())
    loseCommitAndDatabase(fixture)
    const unknown = await exchange(guest, login)
    assertApiError(unknown, 'outcomeUnknown')
    assert.match(unknown.json.error.message, /may have been used.*Let the user sign in again/)
    assert.doesNotMatch(unknown.text, /[Nn]othing was|again is safe/)
    proxy.heal()
    await ready(fixture)
    assertApiError(await exchange(guest, login), 'invalidCode')
    assert.equal(
      (await guest.eventKinds()).at(-1),
      'logout',
      'it was used, and the second use ended the session',
    )

    const next = await signInForCode(guest, here.browser())
    const repeatable = () => exchange(guest, next, 'lost-exchange')
    loseCommitAndDatabase(fixture)
    const lost = await repeatable()
    assertApiError(lost, 'temporarilyUnavailable')
    assert.match(
      lost.json.error.message,
      /may have been made; sending the same request again is safe/,
    )
    proxy.heal()
    await ready(fixture)
    assert.equal(await guest.isValid((await repeatable()).json.access_token), true)
  })

  test('a refresh or logout does not claim that nothing was consumed, and may be sent again', async (t) => {
    const fixture = await behindProxy(t)
    const { here, proxy, guest } = fixture
    const { refresh_token } = await guest.signIn(here.browser())
    const refresh = () =>
      guest.edge('refresh', { refresh_token }, { 'Idempotency-Key': 'lost-refresh' })
    proxy.loseNextCommit()
    const lost = await refresh()
    assertApiError(lost, 'temporarilyUnavailable')
    assert.match(
      lost.json.error.message,
      /may have been made; sending the same request again is safe/,
    )
    const pair = (await refresh()).json
    assert.equal(await guest.isValid(pair.access_token), true)

    proxy.loseNextCommit()
    const logout = () => guest.edge('logout', { refresh_token: pair.refresh_token })
    const unknown = await logout()
    assertApiError(unknown, 'temporarilyUnavailable')
    assert.doesNotMatch(unknown.text, /[Nn]othing was/)
    assert.equal((await logout()).status, 200)
    assert.equal(await guest.isValid(pair.access_token), false)
  })
})
