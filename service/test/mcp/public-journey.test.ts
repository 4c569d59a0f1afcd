import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCredentialsFile } from '@gatehouse-auth/contract'
import { CALLBACK } from '../support/actors/agent.ts'
import { openClaim } from '../support/actors/claim.ts'
import { ERAS } from '../support/actors/mcp.ts'
import { callTool, sdkClient, tenantArguments, toolErrorOf } from '../support/actors/mcp-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

for (const engine of ENGINES) {
  for (const era of ERAS) {
    // proves C007, C093, C100
    test(`[${engine}, ${era}] an anonymous agent sets up sign-in, and its user claims the tenant`, async (t) => {
      const here = await world(t, { through: 'port', engine })
      const client = await sdkClient(t, here, era)

      const documentation = await callTool(client, 'get_service_documentation')
      assert.ok(documentation.includes(`${here.baseUrl}/api/genesis`))

      const created = await callTool(client, 'create_tenant', { confirmed: true })
      assert.deepEqual([created.status, created.tenant_lifecycle], ['ephemeral', 'ephemeral'])
      assert.equal(Date.parse(created.expires_at) - here.clock.now(), 72 * 3_600_000)
      assert.equal(created.credentials_file.filename, '.service')
      assert.equal(created.credentials_download_url, undefined, 'no copy is stored')
      const file = readCredentialsFile(created.credentials_file.content)
      assert.ok(file.ok)
      assert.deepEqual(
        [file.credentials.tenant_id, file.credentials.base_url],
        [created.tenant_id, here.baseUrl],
      )
      const named = tenantArguments(created)

      const before = await callTool(client, 'tenant_status', named)
      assert.deepEqual(before.resources, [])
      const { resources } = await callTool(client, 'provision_resource', {
        ...named,
        confirmed: true,
        resource: 'social-login',
        configuration: { callback_urls: [CALLBACK, 'http://localhost:3000/cb'] },
      })
      assert.deepEqual(resources[0].callback_urls, [CALLBACK, 'http://localhost:3000/cb'])

      const user = here.browser()
      await user.open(resources[0].login_url)
      await user.press('Ada Lovelace')
      const redirectedTo = await user.press('Continue')
      assert.ok(
        redirectedTo.href.startsWith(CALLBACK) &&
          redirectedTo.searchParams.get('access_token') !== null,
      )

      assert.deepEqual(
        await callTool(client, 'give_feedback', { ...named, feedback: '  It works.  ' }),
        {
          success: true,
        },
      )
      const [kept] = await here.app.ctx.stores.feedback.page(0, 10)
      assert.deepEqual([kept?.tenantId, kept?.text], [created.tenant_id, 'It works.'])

      const offer = await callTool(client, 'claim_tenant', { ...named, confirmed: true })
      assert.deepEqual(Object.keys(offer), ['approval_url'])
      const owner = here.browser()
      await openClaim(owner, { ...offer, wait: { url: '', token: '' } }, 'Grace Hopper')
      await owner.press('Approve')

      const after = await callTool(client, 'tenant_status', named)
      assert.deepEqual([after.status, after.expires_at, after.tier], ['claimed', null, 'free'])
      assert.deepEqual(after.resources, [{ resource: 'social-login', status: 'active' }])
      assert.match(
        await toolErrorOf(client, 'claim_tenant', { ...named, confirmed: true }),
        /^alreadyClaimed: /,
      )
    })
  }

  test(`[${engine}] REST and create_tenant share the creation limit of a client address`, async (t) => {
    const here = await world(t, { through: 'port', engine })
    const client = await sdkClient(t, here, 'legacy')
    for (let count = 0; count < 5; count++) {
      await callTool(client, 'create_tenant', { confirmed: true })
      assert.equal((await here.agent.call('POST', '/api/genesis')).status, 201)
    }
    assert.match(
      await toolErrorOf(client, 'create_tenant', { confirmed: true }),
      /^rateLimited: .* Try again in \d+ s\./,
    )
    assert.equal((await here.agent.call('POST', '/api/genesis')).status, 429)
    here.clock.advance({ minutes: 1 })
    await callTool(client, 'create_tenant', { confirmed: true })
  })

  // proves C081, C096
  test(`[${engine}] while a guest tenant is paused, status, claim and feedback work, and other tools say what to do`, async (t) => {
    const here = await world(t, { through: 'port', engine })
    const client = await sdkClient(t, here, 'modern')
    const named = tenantArguments(await callTool(client, 'create_tenant', { confirmed: true }))
    await here.app.ctx.stores.tenants.pause(named.tenant_id, 'lifetime_events', here.clock.now())
    assert.equal((await callTool(client, 'tenant_status', named)).status, 'paused')
    await callTool(client, 'give_feedback', { ...named, feedback: 'Paused?' })
    await callTool(client, 'claim_tenant', { ...named, confirmed: true })
    const text = await toolErrorOf(client, 'provision_resource', {
      ...named,
      confirmed: true,
      resource: 'social-login',
      configuration: { callback_url: CALLBACK },
    })
    assert.match(text, /^tenantPaused: .*lifetime_events.*claim_tenant/)

    here.clock.advance({ hours: 72 })
    assert.equal((await callTool(client, 'tenant_status', named)).status, 'expired')
    assert.match(
      await toolErrorOf(client, 'claim_tenant', { ...named, confirmed: true }),
      /^tenantExpired: /,
    )
    assert.match(
      await toolErrorOf(client, 'give_feedback', { ...named, feedback: 'Expired?' }),
      /^tenantExpired: /,
    )
  })
}

// proves C095
test('both input forms of provision_resource do the same, and a mix of them is rejected', async (t) => {
  const here = await world(t, { through: 'port' })
  const client = await sdkClient(t, here, 'modern')
  const named = tenantArguments(await callTool(client, 'create_tenant', { confirmed: true }))
  const provision = { ...named, confirmed: true }
  const one = { resource: 'social-login', configuration: { callback_url: CALLBACK } }
  const many = {
    resources: ['social-login'],
    configurations: { 'social-login': { callback_urls: [CALLBACK] } },
  }
  const single = await callTool(client, 'provision_resource', { ...provision, ...one })
  assert.deepEqual(await callTool(client, 'provision_resource', { ...provision, ...many }), single)

  for (const wrong of [
    {},
    { ...one, ...many },
    { resource: 'social-login' },
    { ...one, resources: ['social-login'] },
  ]) {
    const text = await toolErrorOf(client, 'provision_resource', { ...provision, ...wrong })
    assert.match(
      text,
      /^invalidRequest: Send resource with configuration, or resources with configurations/,
    )
  }
  const text = await toolErrorOf(client, 'provision_resource', {
    ...provision,
    resources: ['social-login'],
    configurations: {
      'social-login': {
        callback_urls: [CALLBACK, 'http://app.example.com/x', 'javascript:alert(1)'],
      },
    },
  })
  assert.match(text, /configurations\.social-login\.callback_urls\[1\]: http is allowed only/)
  assert.match(text, /configurations\.social-login\.callback_urls\[2\]: /)
  assert.match(text, /Nothing was changed/)
  assert.ok(!text.includes('alert'), 'arguments are not echoed')
  assert.equal((await callTool(client, 'tenant_status', named)).resources.length, 1)
})
