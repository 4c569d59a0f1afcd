import { createHash, randomBytes } from 'node:crypto'
import type { Account, Adapter, AdapterFactory, AdapterPayload, Provider } from 'oidc-provider'
import { errorPage, PAGE_HEADERS, type SignInPage } from '../page.ts'
import { Newest, type SimulatedSignIn } from '../simulated-sign-in.ts'
import type { StandInConfig } from '../stand-in.ts'
import { acceptOwnerClients, type OpenIdDefinition, ownerClient } from './definition.ts'
import { loadOidcProvider } from './load-oidc-provider.ts'
import { signingKey } from './signing-key.ts'

/** A real OpenID provider, configured to respond as the definition says. Its page is in ../page.ts. */
export async function openIdProvider(
  definition: OpenIdDefinition,
  page: SignInPage,
  { clients, now }: StandInConfig,
): Promise<Provider> {
  const { name, offersChooser, pkce, routes, scopes, subjects } = definition
  const scope = Object.keys(scopes).join(' ')
  const { Provider, Prompt, Check, basePolicy } = await loadOidcProvider()

  // Keyed by grant, which every code and token has: concurrent sign-ins of one subject, with different email addresses or
  // faults, must not affect each other.
  const signIns = new Newest<SimulatedSignIn>()

  const policy = basePolicy()
  policy.remove('consent')
  if (offersChooser) {
    policy.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  } else {
    // Every request leads to the page: a developer chooses a user for each.
    const isChosen = new Check('choose', 'A user must be chosen.', ({ oidc }) => !oidc.result)
    policy.get('login')?.checks.add(isChosen)
  }

  const provider = new Provider(definition.issuer ?? page.url, {
    adapter: memoryAdapter(),
    clients: clients.map(({ clientId, clientSecret, redirectUris }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [...redirectUris],
      token_endpoint_auth_method: 'client_secret_post',
    })),
    clientAuthMethods: ['client_secret_post'],
    clientBasedCORS: () => false,
    claims: scopes,
    // These providers put email and name into the ID token too.
    conformIdTokenClaims: false,
    cookies: {
      names: {
        session: `dev_${name}_session`,
        interaction: `dev_${name}_choice`,
        resume: `dev_${name}_resume`,
      },
      // The provider itself sets the path of the two short-lived cookies.
      long: { httpOnly: true, sameSite: 'lax', path: page.mountPath },
      short: { httpOnly: true, sameSite: 'lax' },
      keys: [randomBytes(32).toString('base64url')],
    },
    expiresWithSession: () => false,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
    },
    interactions: { policy, url: (_ctx, { uid }) => `${page.mountPath}choose/${uid}` },
    jwks: { keys: [await signingKey()] },
    pairwiseIdentifier: (_ctx, accountId, client) => pairwiseSubject(accountId, client.clientId),
    pkce: { required: () => pkce },
    responseTypes: ['code'],
    routes,
    scopes: Object.keys(scopes),
    subjectTypes: [subjects],
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Grant: 3600,
      IdToken: 3600,
      Interaction: 3600,
      Session: 3600,
    },

    /** Choosing an account is the consent. */
    async loadExistingGrant(ctx) {
      const { client, account, result } = ctx.oidc
      if (!client || !account || !result) {
        return undefined
      }
      const grant = new ctx.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: account.accountId,
      })
      grant.addOIDCScope(scope)
      const grantId = await grant.save()
      signIns.set(grantId, result.signIn as SimulatedSignIn)
      return grant
    },

    findAccount(_ctx, sub, token) {
      const signIn = token?.grantId === undefined ? undefined : signIns.get(token.grantId)
      // Without an account for the code, the provider responds with invalid_grant.
      if (signIn?.failsAt === 'token_exchange' && token?.kind === 'AuthorizationCode') {
        return undefined
      }
      return {
        accountId: sub,
        claims: (use) => claims(definition, sub, signIn, use),
      } satisfies Account
    },

    renderError(ctx, out) {
      ctx.set(PAGE_HEADERS)
      ctx.body = String(errorPage(page, out.error_description ?? out.error))
    },
  })

  // The URLs it generates come from its mount: the listener overwrites the forwarding headers of every request.
  provider.proxy = true
  const shared = new Set(clients.map(({ clientId }) => clientId))
  acceptOwnerClients(
    provider,
    (clientId) => shared.has(clientId),
    (secret, clientId) => definition.acceptsSecret(secret, clientId, now()),
  )
  if (!definition.namesIssuer) {
    omitIssuer(provider)
  }
  definition.adapt?.(provider)
  return provider
}

function claims(
  { claims: claimsOf }: OpenIdDefinition,
  sub: string,
  signIn: SimulatedSignIn | undefined,
  use: string,
) {
  if (signIn === undefined) {
    return { sub }
  }
  // Thrown inside the userinfo endpoint, so that it responds with 500.
  if (signIn.failsAt === 'userinfo' && use === 'userinfo') {
    throw new Error('This sign-in simulates a failure at userinfo.')
  }
  return { sub, ...claimsOf(signIn, use === 'userinfo' ? 'userinfo' : 'id_token') }
}

const pairwiseSubject = (accountId: string, clientId: string): string =>
  createHash('sha256').update(`${clientId}\0${accountId}`).digest('base64url')

/** oidc-provider always names the issuer in its responses; not every provider does. */
function omitIssuer(provider: Provider): void {
  provider.on('authorization.success', (_ctx, out) => {
    delete out?.iss
  })
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.oidc?.route === 'discovery') {
      delete ctx.body.authorization_response_iss_parameter_supported
    }
  })
}

/** The storage of oidc-provider, in memory: the newest 1,000 codes, tokens and interactions. */
function memoryAdapter(): AdapterFactory {
  const entries = new Newest<{ payload: AdapterPayload; expiresAt: number }>()

  const adapterOf = (model: string): Adapter => ({
    async upsert(id, payload, expiresIn = 3600) {
      entries.set(`${model}:${id}`, { payload, expiresAt: Date.now() + expiresIn * 1000 })
    },
    async find(id) {
      const entry = entries.get(`${model}:${id}`)
      return entry && entry.expiresAt > Date.now() ? entry.payload : undefined
    },
    async consume(id) {
      const entry = entries.get(`${model}:${id}`)
      if (entry) {
        entry.payload = { ...entry.payload, consumed: Math.floor(Date.now() / 1000) }
      }
    },
    async destroy(id) {
      entries.delete(`${model}:${id}`)
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of entries) {
        if (payload.grantId === grantId) {
          entries.delete(key)
        }
      }
    },
    // Only sessions and device codes are looked up this way, and neither is stored.
    findByUid: nothing,
    findByUserCode: nothing,
  })

  return (model) => {
    if (model === 'Client') {
      return { ...noStorage, find: async (id) => ownerClient(id) }
    }
    return model === 'Session' ? noStorage : adapterOf(model)
  }
}

const nothing = async (): Promise<undefined> => undefined

/**
 * Sessions are not stored, so every sign-in shows the account chooser. With a stored session, the provider would first
 * sign out the previous user, on a page that needs a script.
 */
const noStorage: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}
