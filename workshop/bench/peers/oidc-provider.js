import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { MapAdapter } from './map-adapter.js'
import { BASE_URL, PORT, SESSIONS, SIGNING_KEY, writeWorkloads } from './peer-env.js'

// node-oidc-provider: introspection of opaque tokens and refresh with rotation, in memory. Without the scope `openid`, so
// that a refresh signs no ID token; our service signs none either.

const CLIENT = { client_id: 'app', client_secret: 'a-secret-of-the-app' }
const SCOPE = 'offline_access'

const provider = new Provider(BASE_URL, {
  adapter: MapAdapter,
  clients: [
    {
      ...CLIENT,
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [`${BASE_URL}/callback`],
    },
  ],
  cookies: { keys: ['a key for cookies'] },
  features: {
    devInteractions: { enabled: false },
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx, client) => client.clientAuthMethod !== 'none',
    },
  },
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  jwks: { keys: [SIGNING_KEY] },
  rotateRefreshToken: true,
  scopes: ['openid', 'offline_access'],
  ttl: { AccessToken: 3_600, Grant: 30 * 86_400, RefreshToken: 30 * 86_400 },
})

const client = await provider.Client.find(CLIENT.client_id)
const authorization = `Basic ${Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString('base64')}`
const verify = []
const sessions = []
for (let number = 0; number < SESSIONS; number++) {
  const accountId = `user-${number}`
  const grant = new provider.Grant({ accountId, clientId: client.clientId })
  grant.addOIDCScope(SCOPE)
  const properties = {
    accountId,
    client,
    grantId: await grant.save(),
    gty: 'authorization_code',
    scope: SCOPE,
  }
  const token = await new provider.AccessToken(properties).save()
  sessions.push({
    path: '/token',
    refreshToken: await new provider.RefreshToken(properties).save(),
  })
  verify.push({
    request: {
      method: 'POST',
      path: '/token/introspection',
      headers: {
        Authorization: authorization,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
    },
    status: 200,
    contains: { active: true, sub: accountId, scope: SCOPE },
  })
}
writeWorkloads({
  verify,
  refresh: { encoding: 'form', headers: { Authorization: authorization }, sessions },
})
createServer(provider.callback()).listen(PORT, '127.0.0.1')
