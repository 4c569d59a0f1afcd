import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '@gatehouse-auth/contract'
import type { ApiResponse } from '../support/actors/agent.ts'
import { accountOf, tokenFor } from '../support/actors/grants.ts'
import { ERAS, RawMcpClient } from '../support/actors/mcp.ts'
import { type World, world } from '../support/world.ts'

const CREATE = { name: 'create_tenant', arguments: { confirmed: true } }

const tenantsOf = async ({ app }: World): Promise<number> =>
  (await app.ctx.stores.ownership.page('', 1_000)).length

const challengeOf = ({ headers }: ApiResponse): string | null => headers.get('www-authenticate')

// proves C109, C146
test('an invalid Authorization header is always 401 and never falls back to anonymous access', async (t) => {
  const here = await world(t)
  const wire = new RawMcpClient(here.agent)
  const tenant = await here.agent.createTenant(null)
  const account = await accountOf(here)
  const validToken = await tokenFor(here, account)
  const retired = await tokenFor(here, account, { resource: `${here.baseUrl}/mcp/manage` })
  const before = await tenantsOf(here)
  const headers = [
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'Bearer garbage',
    'Basic x',
    'Basic dXNlcjpwYXNz',
    validToken,
    `Token ${validToken}`,
    `Bearer ${validToken} ${validToken}`,
    `Bearer ${validToken.slice(0, -1)}`,
    `Bearer ${validToken}A`,
    `Bearer ${validToken.toUpperCase()}`,
    `Bearer ${tenant.key}`,
    `Bearer ${tenant.applicationKey}`,
    `Bearer ${retired}`,
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
  ]
  const metadata = `resource_metadata="${here.baseUrl}/.well-known/oauth-protected-resource/mcp"`
  for (const Authorization of headers) {
    for (const era of ERAS) {
      for (const [method, params] of [
        ['tools/call', CREATE],
        ['tools/call', { name: 'get_service_documentation', arguments: {} }],
        ['tools/list', {}],
      ] as const) {
        const response = await wire.request(method, params, { headers: { Authorization } }, era)
        assert.equal(response.status, 401, `${Authorization}: ${response.text}`)
        const challenge = challengeOf(response) ?? ''
        assert.match(
          challenge,
          /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="/,
        )
        assert.ok(
          challenge.includes(metadata) && challenge.endsWith(`scope="${SCOPES.join(' ')}"`),
          challenge,
        )
        assert.equal(response.json.error, 'invalid_token')
        for (const secret of [validToken, tenant.key, tenant.applicationKey]) {
          assert.ok(!response.text.includes(secret))
        }
      }
    }
  }
  assert.equal(
    (await wire.post('{', { headers: { Authorization: 'Bearer garbage' } })).status,
    401,
    'authentication precedes parsing',
  )
  assert.equal(await tenantsOf(here), before, 'nothing was created')
})

test('a tenant key in the Authorization header is 401, and the agent is told to send it as coh_management_key', async (t) => {
  const { agent } = await world(t)
  const wire = new RawMcpClient(agent)
  const tenant = await agent.createTenant()
  for (const Authorization of [
    `Bearer ${tenant.key}`,
    tenant.key,
    `Basic ${tenant.key}`,
    `Bearer ${tenant.applicationKey}`,
  ]) {
    for (const era of ERAS) {
      const response = await wire.request('tools/list', {}, { headers: { Authorization } }, era)
      assert.equal(response.status, 401, response.text)
      assert.match(
        response.json.error_description,
        /Send the management key as the argument coh_management_key/,
      )
      assert.match(challengeOf(response) ?? '', /error="invalid_token".*coh_management_key/)
      assert.ok(!response.text.includes(tenant.key) && !challengeOf(response)?.includes(tenant.key))
    }
  }
  const result = await wire.call('tenant_status', {
    tenant_id: tenant.id,
    coh_management_key: tenant.key,
  })
  assert.equal(result.isError, false, result.text)
})
