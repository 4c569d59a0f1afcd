import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOOL_NAMES } from '@gatehouse-auth/contract'
import { CALLBACK } from '../support/actors/agent.ts'
import type { Browser } from '../support/actors/browser.ts'
import { ERAS } from '../support/actors/mcp.ts'
import {
  ClientMemory,
  callTool,
  sdkClient,
  signedInClient,
  toolErrorOf,
} from '../support/actors/mcp-client.ts'
import { OAuthClient } from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const asGrace = async (browser: Browser): Promise<URL> => {
  await browser.press('Sign in with Google')
  await browser.press('Grace Hopper')
  return browser.press('Allow')
}

const asGuest = (browser: Browser): Promise<URL> => browser.press('Continue as guest')

for (const engine of ENGINES) {
  for (const era of ERAS) {
    // proves C094
    test(`[${engine}, ${era}] a client is challenged, its user allows it, and it manages the tenants of the account`, async (t) => {
      const here = await world(t, { through: 'port', engine })
      const { client, memory, browser } = await signedInClient(t, here, era, asGrace)
      assert.equal(memory.authorizationUrl?.searchParams.get('resource'), `${here.baseUrl}/mcp`)
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map(({ name }) => name),
        [...TOOL_NAMES],
      )
      for (const { inputSchema } of tools) {
        assert.ok(!('coh_management_key' in (inputSchema.properties ?? {})))
      }

      const name = { confirmed: true, idempotency_key: 'notes-app-2026' }
      const created = await callTool(client, 'create_tenant', name)
      assert.deepEqual([created.status, created.expires_at], ['claimed', null])
      assert.deepEqual(
        await callTool(client, 'create_tenant', name),
        created,
        'the same tenant, and the same credentials',
      )
      const other = await callTool(client, 'create_tenant', {
        ...name,
        idempotency_key: 'another-app',
      })
      assert.notEqual(other.tenant_id, created.tenant_id)

      const { tenant_id } = created
      await callTool(client, 'provision_resource', {
        tenant_id,
        confirmed: true,
        resource: 'social-login',
        configuration: { callback_url: CALLBACK },
      })
      const status = await callTool(client, 'tenant_status', { tenant_id })
      assert.deepEqual([status.status, status.tier, status.claim], ['claimed', 'free', null])
      assert.equal(status.resources.length, 1)
      await callTool(client, 'give_feedback', { tenant_id, feedback: 'Fine.' })
      assert.match(
        await toolErrorOf(client, 'claim_tenant', { tenant_id, confirmed: true }),
        /^alreadyClaimed: /,
      )

      const downloaded = await browser.request(created.credentials_download_url)
      assert.equal(await downloaded.text(), created.credentials_file.content)
      await browser.open(`${here.baseUrl}/account`)
      assert.ok(
        browser.page.text.includes(tenant_id) && browser.page.text.includes(other.tenant_id),
      )
      assert.ok(browser.page.text.includes('SDK test client'), 'the account page names the agent')
    })

    test(`[${engine}, ${era}] a client with a guest grant creates guest tenants and loses access when they are claimed`, async (t) => {
      const here = await world(t, { through: 'port', engine })
      const { client, browser } = await signedInClient(t, here, era, asGuest)
      const name = { confirmed: true, idempotency_key: 'guest-app-1' }
      const created = await callTool(client, 'create_tenant', name)
      assert.deepEqual([created.status, created.tenant_lifecycle], ['ephemeral', 'ephemeral'])
      assert.deepEqual(await callTool(client, 'create_tenant', name), created)
      const { tenant_id } = created
      assert.equal((await callTool(client, 'tenant_status', { tenant_id })).status, 'ephemeral')
      assert.equal((await browser.request(created.credentials_download_url)).status, 200)

      const offer = await callTool(client, 'claim_tenant', { tenant_id, confirmed: true })
      await browser.open(offer.approval_url)
      await browser.press('Continue with Google')
      await browser.press('Ada Lovelace')
      await browser.press('Approve')
      assert.match(await toolErrorOf(client, 'tenant_status', { tenant_id }), /^tenantNotFound: /)
      assert.match(
        await toolErrorOf(client, 'create_tenant', name),
        /^alreadyClaimed: /,
        'a repeated creation does not return it',
      )
      const downloaded = await browser.request(created.credentials_download_url)
      assert.equal(downloaded.status, 200, 'the owner can download, the guest cannot')
      assert.match(await downloaded.text(), /tenant_lifecycle=claimed/)
    })
  }

  test(`[${engine}] a client refreshes an expired token, and asks for consent again after a revocation`, async (t) => {
    const here = await world(t, { through: 'port', engine })
    const { client, memory, browser } = await signedInClient(t, here, 'modern', asGrace)
    const first = memory.tokens()?.access_token
    const { tenant_id } = await callTool(client, 'create_tenant', {
      confirmed: true,
      idempotency_key: 'lasting-app',
    })
    here.clock.advance({ hours: 1, minutes: 1 })
    assert.equal((await callTool(client, 'tenant_status', { tenant_id })).status, 'claimed')
    assert.notEqual(memory.tokens()?.access_token, first)

    await browser.open(`${here.baseUrl}/account`)
    await browser.press('Revoke')
    memory.authorizationUrl = undefined
    await assert.rejects(client.callTool({ name: 'tenant_status', arguments: { tenant_id } }))
    assert.notEqual(memory.authorizationUrl, undefined, 'the client starts a new authorization')
  })
}

test('a client with fewer scopes lists fewer tools and requests exactly the scope that a call needs', async (t) => {
  const here = await world(t, { through: 'port' })
  const registered = await OAuthClient.register(here)
  const memory = new ClientMemory()
  const issuer = here.baseUrl
  memory.saveClientInformation({ client_id: registered.id, issuer })
  memory.saveTokens({
    ...(await registered.connect(here.browser(), { scope: 'mcp:tenant:read' })),
    issuer,
  })
  const client = await sdkClient(t, here, 'modern', { provider: memory })
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['get_service_documentation', 'tenant_status'],
  )
  const create = {
    name: 'create_tenant',
    arguments: { confirmed: true, idempotency_key: 'step-up-app' },
  }
  await assert.rejects(client.callTool(create))
  assert.deepEqual(memory.authorizationUrl?.searchParams.get('scope')?.split(' ').sort(), [
    'mcp:tenant:read',
    'mcp:tenants:create',
  ])
})
