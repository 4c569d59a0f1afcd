import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'openid-client'
import { ApiError } from '../../src/domain/api-error.ts'
import { authenticateBearer } from '../../src/operations/oauth/tokens.ts'
import { ALL_SCOPES } from '../support/actors/oauth-client.ts'
import { type World, world } from '../support/world.ts'

const CALLBACK = 'http://127.0.0.1:33418/callback'

/** A third-party client (openid-client), configured with the issuer only. */
const thirdPartyClient = ({ baseUrl }: World): Promise<oauth.Configuration> =>
  oauth.dynamicClientRegistration(
    new URL(baseUrl),
    { client_name: 'Foreign', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
    oauth.None(),
    { algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] },
  )

// proves C110, RFC 9700 4.4
test('a third-party OAuth client discovers, registers, gets tokens, refreshes and revokes', async (t) => {
  const here = await world(t, { through: 'port' })
  const { ctx } = here.app
  const client = await thirdPartyClient(here)
  const verifier = oauth.randomPKCECodeVerifier()
  const state = oauth.randomState()
  const authorizationUrl = oauth.buildAuthorizationUrl(client, {
    redirect_uri: CALLBACK,
    scope: ALL_SCOPES,
    resource: `${here.baseUrl}/mcp`,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  })

  const user = here.browser()
  await user.open(authorizationUrl)
  await user.press('Sign in with Google')
  await user.press('Grace Hopper')
  const redirectedTo = await user.press('Allow')
  assert.equal(user.page.status, 303)
  assert.equal(user.page.text, '')

  // openid-client checks state, iss and the token response.
  const tokens = await oauth.authorizationCodeGrant(client, redirectedTo, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  assert.match(tokens.access_token, /^mcp_at_[\w-]{43}$/)
  assert.match(tokens.refresh_token ?? '', /^mcp_rt_[\w-]{43}$/)
  assert.deepEqual(
    [tokens.token_type, tokens.expires_in, tokens.scope, tokens.principal_type, tokens.resource],
    ['bearer', 3_600, ALL_SCOPES, 'account', `${here.baseUrl}/mcp`],
  )
  const grant = await authenticateBearer(ctx, tokens.access_token)
  assert.deepEqual(
    { ...grant, id: 0 },
    {
      id: 0,
      clientId: client.clientMetadata().client_id,
      clientName: 'Foreign',
      subject: { kind: 'account', accountId: 1 },
      scopes: ALL_SCOPES.split(' '),
      resource: `${here.baseUrl}/mcp`,
      createdAt: here.clock.now(),
      lastUsedAt: here.clock.now(),
    },
  )

  const next = await oauth.refreshTokenGrant(client, tokens.refresh_token ?? '')
  assert.notEqual(next.access_token, tokens.access_token)
  assert.equal((await authenticateBearer(ctx, next.access_token)).id, grant.id)
  assert.equal(
    (await authenticateBearer(ctx, tokens.access_token)).id,
    grant.id,
    'the previous one lives on',
  )

  await oauth.tokenRevocation(client, next.refresh_token ?? '')
  for (const { access_token } of [tokens, next]) {
    await assert.rejects(authenticateBearer(ctx, access_token), isInvalidToken)
  }
  await assert.rejects(oauth.refreshTokenGrant(client, next.refresh_token ?? ''), {
    error: 'invalid_grant',
  })
})

test('a third-party OAuth client receives access_denied with the expected issuer', async (t) => {
  const here = await world(t, { through: 'port' })
  const client = await thirdPartyClient(here)
  const verifier = oauth.randomPKCECodeVerifier()
  const authorizationUrl = oauth.buildAuthorizationUrl(client, {
    redirect_uri: CALLBACK,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: 'abc',
  })
  const user = here.browser()
  await user.open(authorizationUrl)
  const redirectedTo = await user.press('Deny')
  assert.deepEqual(
    [redirectedTo.searchParams.get('error'), redirectedTo.searchParams.get('iss')],
    ['access_denied', here.baseUrl],
  )
  await assert.rejects(
    oauth.authorizationCodeGrant(client, redirectedTo, {
      pkceCodeVerifier: verifier,
      expectedState: 'abc',
    }),
    { error: 'access_denied' },
  )
})

const isInvalidToken = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'invalidAccessToken'
