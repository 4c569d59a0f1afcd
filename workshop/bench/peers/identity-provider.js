import { createServer } from 'node:http'
import Provider, { interactionPolicy } from 'oidc-provider'
import { MapAdapter } from './map-adapter.js'
import { BASE_URL, PORT, profile, SIGNING_KEY } from './peer-env.js'

// The OpenID provider of all contenders. It signs in the next of a thousand users without interaction, and puts email and
// name into the ID token, as Google does.

const USERS = 1_000
const SCOPE = 'openid email profile'
let logins = 0

const policy = interactionPolicy.base()
policy.remove('consent')
policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)

const provider = new Provider(BASE_URL, {
  adapter: MapAdapter,
  clients: JSON.parse(process.env.CLIENTS ?? '[]').map((client) => ({
    ...client,
    token_endpoint_auth_method: 'client_secret_post',
  })),
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
  conformIdTokenClaims: false,
  cookies: { keys: ['a key for cookies'] },
  features: { devInteractions: { enabled: false } },
  interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
  jwks: { keys: [SIGNING_KEY] },
  pkce: { required: () => false },
  scopes: SCOPE.split(' '),
  findAccount: (_ctx, sub) => ({
    accountId: sub,
    claims: () => ({ sub, email_verified: true, ...profile(Number(sub)) }),
  }),
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.account.accountId,
    })
    grant.addOIDCScope(SCOPE)
    await grant.save()
    return grant
  },
})

const handle = provider.callback()
createServer((req, res) => {
  if (!req.url.startsWith('/interaction/')) {
    return handle(req, res)
  }
  const accountId = String(logins++ % USERS)
  return provider.interactionFinished(req, res, { login: { accountId }, select_account: {} })
}).listen(PORT, '127.0.0.1')
