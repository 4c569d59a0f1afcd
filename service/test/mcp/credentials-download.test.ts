import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCredentialsFile } from '@gatehouse-auth/contract'
import { endTenant } from '../../src/operations/tenants/end-tenant.ts'
import type { Browser } from '../support/actors/browser.ts'
import { claim, openClaim } from '../support/actors/claim.ts'
import { RawMcpClient, toolResult } from '../support/actors/mcp.ts'
import { OAuthClient, tokensOf } from '../support/actors/oauth-client.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { type World, world } from '../support/world.ts'

const pathOf = (tenantId: string): string => `/mcp/tenants/${tenantId}/credentials`

/** Grants a client access as an account or as a guest, and creates a tenant with that grant. */
async function createWithGrant(
  here: World,
  browser: Browser,
  as: 'account' | 'guest',
  { user = 'Ada Lovelace', idempotencyKey = 'download-me' } = {},
) {
  const client = await OAuthClient.register(here)
  const code =
    as === 'account' ? await client.code(browser, {}, user) : await client.guestCode(browser)
  const { access_token: token } = tokensOf(await client.exchange(code))
  const wire = new RawMcpClient(here.agent)
  const created = await toolResult(
    wire.call('create_tenant', { confirmed: true, idempotency_key: idempotencyKey }, { token }),
  )
  return { token, created, url: created.credentials_download_url as string }
}

for (const engine of ENGINES) {
  // proves C089
  test(`[${engine}] the owner downloads the same credentials file that the agent received`, async (t) => {
    const here = await world(t, { engine })
    const ada = here.browser()
    const { created, url } = await createWithGrant(here, ada, 'account')
    assert.equal(url, `${here.baseUrl}${pathOf(created.tenant_id)}`)
    const response = await ada.request(url, { headers: { Accept: 'text/html' } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename=".service"')
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    const text = await response.text()
    assert.equal(text, created.credentials_file.content)
    assert.ok(readCredentialsFile(text).ok)
  })

  // proves C129
  test(`[${engine}] the download is denied to other browsers, bearer tokens, keys and other owners`, async (t) => {
    const here = await world(t, { engine })
    const [ada, eve, guest] = [here.browser(), here.browser(), here.browser()]
    const mine = await createWithGrant(here, ada, 'account')
    await createWithGrant(here, eve, 'account', { user: 'Grace Hopper' })
    await createWithGrant(here, guest, 'guest')
    const key = /^coh_management_key=(.*)$/m.exec(mine.created.credentials_file.content)?.[1] ?? ''

    for (const headers of [
      {},
      { Authorization: `Bearer ${mine.token}` },
      { Authorization: `Bearer ${key}` },
      { Cookie: `gatehouse_account=${mine.token}` },
      { Cookie: `gatehouse_guest=${'x'.repeat(42)}` },
    ]) {
      const response = await here.agent.call('GET', pathOf(mine.created.tenant_id), { headers })
      assert.deepEqual(
        [response.status, response.json.error.code],
        [401, 'missingCredentials'],
        response.text,
      )
      assert.equal(response.headers.get('www-authenticate'), null, 'no bearer token is accepted')
      assert.ok(!response.text.includes('svc_'))
    }
    for (const browser of [eve, guest]) {
      const texts = []
      for (const tenantId of [mine.created.tenant_id, 'no-such-tenant', 'x']) {
        const response = await browser.request(`${here.baseUrl}${pathOf(tenantId)}`)
        assert.equal(response.status, 404)
        texts.push((await response.text()).replace(/"request_id":"[^"]+"/, ''))
      }
      assert.equal(new Set(texts).size, 1, 'the response does not reveal whether a tenant exists')
    }
    await eve.open(mine.url)
    assert.equal(eve.page.status, 404)
    assert.match(eve.page.text, /There are no credentials to download/)
    assert.match(
      eve.page.text,
      /tenantNotFound \(404\) at GET \/mcp\/tenants\/:tenant_id\/credentials/,
      'a report to send on',
    )
    assert.equal((await ada.request(mine.url, { method: 'POST' })).status, 405)
    assert.equal((await ada.request(mine.url)).status, 200)
  })

  test(`[${engine}] a guest downloads the credentials of tenants their agent created, until the tenant is claimed or expires`, async (t) => {
    const here = await world(t, { engine })
    const guest = here.browser()
    const { token, created, url } = await createWithGrant(here, guest, 'guest')
    assert.equal(await (await guest.request(url)).text(), created.credentials_file.content)
    const otherGuest = here.browser()
    await createWithGrant(here, otherGuest, 'guest')
    assert.equal((await otherGuest.request(url)).status, 404)

    const owner = here.browser()
    const wire = new RawMcpClient(here.agent)
    const offer = await toolResult(
      wire.call('claim_tenant', { confirmed: true, tenant_id: created.tenant_id }, { token }),
    )
    await openClaim(owner, { ...offer, wait: { url: '', token: '' } }, 'Grace Hopper')
    assert.equal((await owner.request(url)).status, 404, 'signing in transfers no tenant')
    await owner.press('Approve')
    assert.equal((await guest.request(url)).status, 404)
    const response = await owner.request(url)
    assert.equal(response.status, 200)
    assert.match(await response.text(), /^expires_at=\ntenant_lifecycle=claimed$/m)

    const claimed = await here.app.ctx.stores.tenants.find(created.tenant_id)
    assert.ok(claimed !== null)
    await endTenant(here.app.ctx, claimed, 'deleted')
    assert.equal((await owner.request(url)).status, 404)

    const unclaimed = await createWithGrant(here, guest, 'guest', {
      idempotencyKey: 'download-another',
    })
    assert.equal((await guest.request(unclaimed.url)).status, 200)
    here.clock.advance({ hours: 72 })
    assert.equal((await guest.request(unclaimed.url)).status, 404, 'also before the sweep')
  })

  test(`[${engine}] the keys of a tenant created without signing in cannot be downloaded, not even by its owner`, async (t) => {
    const here = await world(t, { engine })
    const tenant = await here.agent.createTenant(null)
    const owner = here.browser()
    await claim(tenant, owner)
    const response = await owner.request(`${here.baseUrl}${pathOf(tenant.id)}`)
    assert.equal(response.status, 404)
    assert.match(await response.text(), /shown once and not kept/)
  })
}

test('a signed-out owner is sent to sign in and then to the download', async (t) => {
  const here = await world(t)
  const { created, url } = await createWithGrant(here, here.browser(), 'account')
  const later = here.browser()
  await later.open(url)
  assert.equal(later.page.status, 401)
  assert.ok(!later.page.text.includes('svc_'))
  await later.follow('Sign in')
  await later.press('Sign in with Google')
  await later.press('Ada Lovelace')
  assert.equal(later.page.url.href, url)
  assert.equal(later.page.text, created.credentials_file.content)
})
