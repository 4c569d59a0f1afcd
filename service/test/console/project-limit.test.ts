import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInToAccount } from '../support/actors/account.ts'
import type { ApiResponse } from '../support/actors/agent.ts'
import { assertApiError } from '../support/actors/api-error.ts'
import { openClaim, requestClaim, waitForClaim } from '../support/actors/claim.ts'
import { tokenFor } from '../support/actors/grants.ts'
import { assertToolError, RawMcpClient, toolResult } from '../support/actors/mcp.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

/** Creates projects of the account until it owns this many. */
async function ownProjects(here: World, key: string, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 1) {
    assert.equal((await bootstrap(here, key, `project-number-${at}`)).status, 201)
  }
}

const bootstrap = (here: World, key: string, idempotency_key: string): Promise<ApiResponse> =>
  here.agent.call('POST', '/api/mcp/bootstrap', { key, body: { confirmed: true, idempotency_key } })

for (const engine of ENGINES) {
  // proves C077
  test(`[${engine}] an account may own 100 projects; creating or claiming another is 403 and changes nothing`, async (t) => {
    const here = await world(t, { engine })
    const { stores } = here.app.ctx
    const { agent, browser, baseUrl } = here
    const owner = await signInToAccount(baseUrl, browser())
    const [ada] = await stores.accounts.findByEmail('ada@example.com')
    const accountId = ada?.id ?? 0
    const key = await tokenFor(here, { kind: 'account', accountId })
    await ownProjects(here, key, 0, 99)
    const atOnce = await Promise.all(
      Array.from({ length: 5 }, (_, at) => bootstrap(here, key, `at-once-${at}`)),
    )
    assert.deepEqual(atOnce.map(({ status }) => status).sort(), [201, 403, 403, 403, 403])
    const owned = async (): Promise<number> => (await stores.ownership.ownedBy(accountId)).length
    assert.equal(await owned(), 100)

    assert.deepEqual(assertApiError(await bootstrap(here, key, 'one-too-many'), 'projectLimit'), {
      limit: 100,
    })
    assert.equal(
      (await bootstrap(here, key, 'project-number-0')).status,
      200,
      'a repeated call creates nothing',
    )
    const mcp = new RawMcpClient(agent)
    const create = (idempotency_key: string) =>
      mcp.call('create_tenant', { confirmed: true, idempotency_key }, { token: key })
    await assertToolError(create('over-mcp-1'), 'projectLimit')

    const guest = await agent.createTenant()
    const request = await requestClaim(guest)
    await openClaim(owner, request)
    await owner.press('Approve')
    assert.equal(owner.page.status, 403)
    assert.match(owner.page.text, /You own as many projects as you can/)
    assert.equal((await guest.status()).status, 'ephemeral')
    assert.equal(
      (await waitForClaim(guest, request)).json.status,
      'pending',
      'the refused approval decided nothing',
    )
    assert.equal(await owned(), 100)

    const [one, two] = await stores.ownership.ownedBy(accountId)
    for (const tenant of [one, two]) {
      await owner.open(`${baseUrl}/account/projects/${tenant?.id}/danger`)
      await owner.press('Delete', { confirm: tenant?.id ?? '' })
    }
    await openClaim(owner, request)
    await owner.press('Approve')
    assert.equal(owner.page.status, 200)
    assert.equal(
      (await toolResult(create('over-mcp-1'))).status,
      'claimed',
      'the refused call did not use up its key',
    )
    await assertToolError(create('over-mcp-2'), 'projectLimit')
    assert.equal(await owned(), 100)
  })
}
