import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Agent } from '../support/actors/agent.ts'
import { Browser } from '../support/actors/browser.ts'
import { claim, requestClaim, waitForClaim } from '../support/actors/claim.ts'
import { RawMcpClient } from '../support/actors/mcp.ts'
import { OAuthClient, type Service } from '../support/actors/oauth-client.ts'
import { Clock } from '../support/clock.ts'
import {
  CLIENT_ID,
  json,
  providerCallback,
  scriptedProvider,
  tokens,
} from '../support/faults/scripted-provider.ts'
import { everyRow } from '../support/postgres/database-rows.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { startService } from '../support/process/service-process.ts'
import { slow } from '../support/tags.ts'
import { overHttp } from '../support/transport/http-transport.ts'
import { Secrets } from '../support/transport/secrets.ts'
import { world } from '../support/world.ts'

/** Creates every kind of secret, uses each correctly, and sends each to places where it does not belong. */
async function useEverySecret(service: Service, browser: () => Browser): Promise<void> {
  const { agent, secrets } = service
  const tenant = await agent.createTenant()
  const first = await tenant.signIn(browser())
  const pair = await tenant.refresh(first.refresh_token)
  const edge = (await agent.call('POST', `/edge/session?key=${tenant.applicationKey}`)).json.token
  const offer = await requestClaim(tenant)
  const claimToken = offer.approval_url.split('/').at(-1) ?? ''
  secrets.add(claimToken)
  await waitForClaim(tenant, offer)
  const owner = browser()
  await claim(tenant, owner)
  const client = await OAuthClient.register(service)
  const tokens = await client.connect(owner)
  await new RawMcpClient(agent).request(
    'tools/call',
    { name: 'tenant_status', arguments: {} },
    { token: tokens.access_token },
  )
  const guest = await client.guestCode(browser())
  for (const { value } of owner.cookies.list()) {
    secrets.add(value)
  }

  for (const secret of [
    ...[
      tenant.key,
      tenant.applicationKey,
      pair.access_token,
      pair.refresh_token,
      edge,
      offer.wait.token,
      claimToken,
    ],
    ...[tokens.access_token, tokens.refresh_token, guest, client.verifier],
  ]) {
    secrets.add(secret)
    await agent.call('GET', `/${secret}?${secret}=${secret}`)
    await agent.call('GET', `/api/social-login/users/${secret}`, { key: secret })
    await agent.call('GET', `/edge/auth/${secret}/google?return_to=//${secret}`)
    await agent.call('POST', `/edge/auth/${tenant.id}/refresh`, {
      body: { refresh_token: secret, [secret]: secret },
    })
    await agent.call('POST', '/api/resources', { key: tenant.key, body: { [secret]: secret } })
    await agent.call('GET', `/auth/google/callback?code=${secret}&state=${secret}&error=${secret}`)
    await agent.call('GET', '/', {
      headers: { 'User-Agent': secret, Referer: `https://x.test/${secret}`, Cookie: secret },
    })
    await agent.call('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: secret, method: secret, params: { name: secret } },
    })
    await agent.call('POST', '/oauth/token', {
      body: `grant_type=${secret}`,
      headers: { 'Content-Type': secret },
    })
  }
  await tenant.edge('logout', { refresh_token: pair.refresh_token })
}

for (const engine of ENGINES) {
  // proves S019, S025, ASVS 10.1.1
  test(`[${engine}] no secret appears in the log, or in clear text in the database`, async (t) => {
    const here = await world(t, { engine })
    await useEverySecret(here, () => here.browser())
    await here.app.flush()
    const rows = await everyRow(here)
    assert.ok(
      Object.values(rows).filter((table) => table.length > 0).length > 12,
      'most tables have rows',
    )
    here.secrets.assertAbsentFrom(here.logLines)
    here.secrets.assertAbsentFrom([JSON.stringify(rows)], 'the database')
  })
}

// proves S025
test('the tokens and the code of the provider are neither stored nor logged', async (t) => {
  const provider = await scriptedProvider(t)
  const google = {
    GOOGLE_CLIENT_ID: CLIENT_ID,
    GOOGLE_CLIENT_SECRET: 'a-client-secret',
    GOOGLE_ISSUER: provider.issuer,
  }
  const here = await world(t, { env: google })
  const user = here.browser()
  const tenant = await here.agent.createTenant()
  const authorize = await user.open(tenant.loginUrl)
  const nonce = authorize.searchParams.get('nonce')
  const issued = {
    ...tokens(provider.issuer, { nonce }),
    refresh_token: 'refresh-token-of-the-provider',
  }
  provider.script('/token', json(issued))
  const callback = providerCallback(authorize, 'ada@example.com')
  await user.open(callback)
  const atConsent = await everyRow(here)
  await user.press('Continue')
  assert.equal((await tenant.users()).length, 1)
  const code = callback.searchParams.get('code') ?? ''
  for (const secret of [issued.access_token, issued.refresh_token, issued.id_token, code]) {
    assert.ok(
      !JSON.stringify([atConsent, await everyRow(here), here.logLines]).includes(secret),
      secret,
    )
  }
})

test('no secret appears in the output or the data directory of a process, and only its user can read the files', {
  skip: slow,
}, async (t) => {
  const service = await startService(t)
  const { PORT, DATA_DIR } = service.settings
  const secrets = new Secrets()
  const baseUrl = `http://localhost:${PORT}`
  const transport = secrets.collecting(overHttp)
  const agent = new Agent(baseUrl, transport, new Clock())
  await useEverySecret(
    { agent, baseUrl, secrets },
    () => new Browser({ origins: [baseUrl], transport }),
  )
  const files = globSync('**', { cwd: DATA_DIR }).filter((file) =>
    statSync(join(DATA_DIR, file)).isFile(),
  )
  assert.ok(files.length >= 2, files.join())
  for (const file of files) {
    assert.equal(statSync(join(DATA_DIR, file)).mode & 0o077, 0, `other users can read ${file}`)
    secrets.assertAbsentFrom([readFileSync(join(DATA_DIR, file), 'latin1')], file)
  }
  await service.end('SIGTERM')
  secrets.assertAbsentFrom([service.output()], 'the output')
})
