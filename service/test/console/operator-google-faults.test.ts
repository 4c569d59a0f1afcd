import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { OAuthClient } from '../support/actors/oauth-client.ts'
import {
  acceptAnyUser,
  CLIENT_ID,
  json,
  metadata,
  providerCallback,
  scriptedProvider,
} from '../support/faults/scripted-provider.ts'
import { type World, world } from '../support/world.ts'

async function serviceAtProvider(t: TestContext) {
  const provider = await scriptedProvider(t)
  const env = {
    GOOGLE_CLIENT_ID: CLIENT_ID,
    GOOGLE_CLIENT_SECRET: 'a-client-secret',
    GOOGLE_ISSUER: provider.issuer,
  }
  return { provider, here: await world(t, { env }) }
}

const failures = (here: World): string[] =>
  here.logLines
    .map((line) => JSON.parse(line).msg as string)
    .filter((message) => message.includes('sign-in'))

const status = async (here: World): Promise<string> =>
  (await here.agent.call('GET', '/status', { headers: HTML })).text

const HTML = { Accept: 'text/html' }

const WRONG_SECRET = 'token_exchange: invalid_client'

test('a wrong client secret of the operator is in the log, on the page of the owner and on the status page until a sign-in succeeds', async (t) => {
  const { provider, here } = await serviceAtProvider(t)
  provider.script('/token', json({ error: 'invalid_client' }, 401))
  const owner = here.browser()
  await owner.open(`${here.baseUrl}/account`)
  const authorize = await owner.press('Sign in with Google')
  await owner.open(providerCallback(authorize, 'ada@example.com'))
  assert.equal(owner.page.status, 403)
  assert.ok(owner.page.text.includes(WRONG_SECRET), owner.page.text)
  assert.deepEqual(failures(here), [`sign-in to this service failed at ${WRONG_SECRET}`])
  assert.ok((await status(here)).includes(WRONG_SECRET))

  acceptAnyUser(provider)
  await owner.open(`${here.baseUrl}/account`)
  const again = await owner.press('Sign in with Google')
  await owner.open(providerCallback(again, 'ada@example.com'))
  assert.equal(owner.page.status, 200)
  assert.match(await status(here), /<strong>Ready<\/strong>/)
})

test('a 404 of userinfo in the consent of an agent is in the log and on the status page', async (t) => {
  const { provider, here } = await serviceAtProvider(t)
  acceptAnyUser(provider)
  provider.script('/userinfo', (_req, res) => void res.writeHead(404).end())
  const client = await OAuthClient.register(here)
  const user = here.browser()
  await user.open(client.authorizeUrl())
  const authorize = await user.press('Sign in with Google')
  await user.open(providerCallback(authorize, 'ada@example.com'))
  const fault = 'userinfo: provider_error'
  assert.ok(user.page.text.includes(fault), user.page.text)
  assert.deepEqual(failures(here), [`sign-in to this service failed at ${fault}`])
  assert.ok((await status(here)).includes(fault))
})

test('an unreachable Google is in the log with the reason, and on the status page until a sign-in can start', async (t) => {
  const { provider, here } = await serviceAtProvider(t)
  provider.script('/discovery', (_req, res) => void res.destroy())
  const tenant = await here.agent.createTenant()
  const app = here.browser()
  await app.open(tenant.loginUrl)
  assert.equal(app.page.status, 503)
  assert.match(await status(here), /Google sign-in failed.*discovery: unreachable/s)
  const reasons = here.logLines
    .map((line) => JSON.parse(line))
    .filter(({ error }) => error === 'Unavailable: The identity provider is out of reach')
    .map(({ cause }) => cause)
  assert.equal(reasons.length, 1)
  assert.match(reasons[0], /socket hang up|ECONNRESET|other side closed/)

  provider.script('/discovery', json(metadata(provider.issuer)))
  await app.open(tenant.loginUrl)
  assert.match(await status(here), /<strong>Ready<\/strong>/)
})

test('a fault of the shared client at the sign-in of an app is on the status page, and an error that the browser sends is not', async (t) => {
  const { provider, here } = await serviceAtProvider(t)
  const tenant = await here.agent.createTenant()
  const user = here.browser()
  const forged = providerCallback(await user.open(tenant.loginUrl), 'ada@example.com')
  forged.searchParams.delete('code')
  forged.searchParams.set('error', 'invalid_client')
  await user.open(forged)
  assert.deepEqual(failures(here), [`sign-in failed at ${WRONG_SECRET}`])
  assert.match(await status(here), /<strong>Ready<\/strong>/)

  provider.script('/token', json({ error: 'invalid_client' }, 401))
  await user.open(providerCallback(await user.open(tenant.loginUrl), 'ada@example.com'))
  assert.ok((await status(here)).includes(WRONG_SECRET))
})
