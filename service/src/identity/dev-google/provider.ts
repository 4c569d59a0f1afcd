import { randomBytes } from 'node:crypto'
import type { Account, Provider } from 'oidc-provider'
import { loadOidcProvider } from './load-oidc-provider.ts'
import { memoryAdapter } from './memory-adapter.ts'
import { errorPage, PAGE_HEADERS } from './page.ts'
import { signingKey } from './signing-key.ts'
import type { SimulatedSignIn } from './simulated-sign-in.ts'

export interface DevGoogleClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUris: readonly string[]
}

/** The number of sign-ins that are kept for their token requests. */
const SIGN_INS_MAX = 1_000
const SCOPE = 'openid email profile'

/** A real OpenID provider, configured to respond as Google does. Its page is in chooser.ts. */
export async function openIdProvider(
  issuer: string,
  mountPath: string,
  clients: readonly DevGoogleClient[],
): Promise<Provider> {
  const { Provider, Prompt, basePolicy } = await loadOidcProvider()

  // Keyed by grant, which every code and token has: concurrent sign-ins of one subject, with different email addresses or
  // faults, must not affect each other.
  const signIns = new Map<string, SimulatedSignIn>()

  const policy = basePolicy()
  policy.remove('consent')
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0)

  const provider = new Provider(issuer, {
    adapter: memoryAdapter(),
    clients: clients.map(({ clientId, clientSecret, redirectUris }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [...redirectUris],
      token_endpoint_auth_method: 'client_secret_post',
    })),
    clientAuthMethods: ['client_secret_post'],
    clientBasedCORS: () => false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture', 'hd'] },
    // Google puts email and name into the ID token too.
    conformIdTokenClaims: false,
    cookies: {
      names: { session: 'dev_google_session', interaction: 'dev_google_choice', resume: 'dev_google_resume' },
      // The provider itself sets the path of the two short-lived cookies.
      long: { httpOnly: true, sameSite: 'lax', path: mountPath },
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
    interactions: { policy, url: (_ctx, { uid }) => `${mountPath}choose/${uid}` },
    jwks: { keys: [await signingKey()] },
    pkce: { required: () => true },
    responseTypes: ['code'],
    routes: {
      authorization: '/o/oauth2/v2/auth',
      token: '/token',
      userinfo: '/v1/userinfo',
      jwks: '/oauth2/v3/certs',
    },
    scopes: SCOPE.split(' '),
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 3600, Session: 3600 },

    /** Choosing an account is the consent. */
    async loadExistingGrant(ctx) {
      const { client, account, result } = ctx.oidc
      if (!client || !account || !result) return undefined
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: account.accountId })
      grant.addOIDCScope(SCOPE)
      const grantId = await grant.save()
      signIns.set(grantId, result.signIn as SimulatedSignIn)
      for (const oldest of signIns.keys()) {
        if (signIns.size <= SIGN_INS_MAX) break
        signIns.delete(oldest)
      }
      return grant
    },

    findAccount(_ctx, sub, token) {
      const signIn = token?.grantId === undefined ? undefined : signIns.get(token.grantId)
      // Without an account for the code, the provider responds with invalid_grant.
      if (signIn?.failsAt === 'token_exchange' && token?.kind === 'AuthorizationCode') return undefined
      return { accountId: sub, claims: (use) => claims(sub, signIn, use) } satisfies Account
    },

    renderError(ctx, out) {
      ctx.set(PAGE_HEADERS)
      ctx.body = String(errorPage(mountPath, out.error_description ?? out.error))
    },
  })

  // The URLs it generates come from the issuer: the listener overwrites the forwarding headers of every request.
  provider.proxy = true
  return provider
}

function claims(sub: string, signIn: SimulatedSignIn | undefined, use: string) {
  if (signIn === undefined) return { sub }
  // Thrown inside the userinfo endpoint, so that it responds with 500.
  if (signIn.failsAt === 'userinfo' && use === 'userinfo')
    throw new Error('This sign-in simulates a failure at userinfo.')
  return {
    sub,
    email: signIn.email,
    email_verified: signIn.emailVerified,
    ...(signIn.workspace === null ? {} : { hd: signIn.workspace }),
    ...(signIn.name === null ? {} : { name: signIn.name }),
    ...(signIn.picture === null ? {} : { picture: signIn.picture }),
  }
}
