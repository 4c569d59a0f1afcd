import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type Endpoint } from '@gatehouse-auth/contract'
import { assertApiError } from '../support/actors/api-error.ts'
import { postForm } from '../support/actors/oauth-client.ts'
import { slow } from '../support/tags.ts'
import { pathOf } from '../support/transport/endpoint-path.ts'
import { isolationScene, type Scene } from '../tenants/isolation-scene.ts'

type Kind =
  | ('management' | 'application' | 'access' | 'refresh' | 'edge' | 'wait')
  | ('oauth-access' | 'oauth-refresh' | 'claim' | 'browser-cookie' | 'id-token' | 'other-access')

/** One valid credential of every kind, all of one owner, and an access token of another tenant. */
async function secretsOf({ victim, intruder }: Scene): Promise<Record<Kind, string>> {
  const { tenant, pair, edgeToken, claimRequest, tokens, browser } = victim
  const cookie = browser.cookies.list().find(({ name }) => name === 'gatehouse_account')
  const { id_token } = (await tenant.edge('id-token', { access_token: pair.access_token })).json
  return {
    management: tenant.key,
    application: tenant.applicationKey,
    access: pair.access_token,
    refresh: pair.refresh_token,
    edge: edgeToken,
    wait: claimRequest.wait.token,
    'oauth-access': tokens.access_token,
    'oauth-refresh': tokens.refresh_token,
    claim: claimRequest.approval_url.split('/').at(-1) ?? '',
    'browser-cookie': cookie?.value ?? '',
    'id-token': id_token,
    'other-access': intruder.pair.access_token,
  }
}

/** The one kind that an endpoint accepts as a bearer token. */
const ACCEPTED: Readonly<Record<Endpoint['auth'], Kind | null>> = {
  none: null,
  management: 'management',
  'edge-session': 'edge',
  wait: 'wait',
  'account-session': null,
  oauth: 'oauth-access',
}

async function assertRejectedAsBearer({ service }: Scene, kind: Kind, key: string): Promise<void> {
  const { agent } = service
  const foreign = ENDPOINTS.filter(({ auth }) => auth !== 'none' && ACCEPTED[auth] !== kind)
  for (const endpoint of foreign) {
    const { status } = await agent.call(endpoint.method, pathOf(endpoint), { key })
    assert.ok(status === 401 || status === 403, `${kind} at ${endpoint.id}: ${status}`)
  }

  if (kind !== 'application') {
    const { status } = await agent.call('POST', `/edge/session?key=${encodeURIComponent(key)}`)
    assert.ok(status === 401 || status === 403, `${kind} at /edge/session: ${status}`)
  }
  if (kind !== 'oauth-access') {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    assert.equal((await agent.call('POST', '/mcp', { key, body })).status, 401, `${kind} at /mcp`)
  }
  if (kind !== 'claim') {
    const { status } = await agent.call('GET', `/c/${encodeURIComponent(key)}`)
    assert.equal(status, 404, `${kind} as a claim link`)
  }
}

async function assertRejectedAsSession({ victim }: Scene, kind: Kind, key: string): Promise<void> {
  if (kind !== 'access') {
    assert.equal(await victim.tenant.isValid(key), false, `${kind} at verify`)
    const response = await victim.tenant.edge('id-token', { access_token: key })
    assertApiError(response, 'invalidAccessToken')
  }
  if (kind !== 'refresh') {
    await victim.tenant.assertRefreshRejected(key, 'invalidRefreshToken')
    await victim.tenant.edge('logout', { refresh_token: key })
  }
}

async function assertRejectedAsCookie({ service }: Scene, kind: Kind, key: string): Promise<void> {
  const cookies = [
    ['gatehouse_account', 'browser-cookie'],
    ['gatehouse_claim', 'claim'],
    ['gatehouse_browser', ''],
    ['gatehouse_guest', ''],
  ] as const
  for (const [cookie] of cookies.filter(([, own]) => own !== kind)) {
    const headers = { Cookie: `${cookie}=${key}` }
    const { status } = await service.agent.call('GET', '/account/insights/data', { headers })
    assert.equal(status, 401, `${kind} as ${cookie}`)
  }
}

async function assertRejectedAsGrant(
  { service, victim }: Scene,
  kind: Kind,
  key: string,
): Promise<void> {
  const client = {
    client_id: victim.client.id,
    redirect_uri: victim.client.redirectUri,
    code_verifier: victim.client.verifier,
  }
  const forms = [
    { grant_type: 'authorization_code', code: key },
    ...(kind === 'oauth-refresh' ? [] : [{ grant_type: 'refresh_token', refresh_token: key }]),
  ]
  for (const form of forms) {
    const { json } = await postForm(service, '/oauth/token', { ...form, ...client })
    assert.equal(json.error, 'invalid_grant', `${kind} as ${form.grant_type}`)
  }
}

// proves C214, S015, S038, S114, ASVS 7.2.2, ASVS 9.2.2
test('every kind of credential is accepted only where it belongs', { skip: slow }, async (t) => {
  const scene = await isolationScene(t, 'sqlite')
  const secrets = Object.entries(await secretsOf(scene)) as [Kind, string][]
  assert.ok(secrets.every(([, secret]) => secret.length > 20))
  const before = await scene.victimsRows()

  for (const [kind, key] of secrets) {
    await assertRejectedAsBearer(scene, kind, key)
    await assertRejectedAsSession(scene, kind, key)
    await assertRejectedAsCookie(scene, kind, key)
    await assertRejectedAsGrant(scene, kind, key)
  }
  assert.deepEqual(await scene.victimsRows(), before, 'a rejected credential is not consumed')
})
