import { randomBytes } from 'node:crypto'
import type { Account, Provider } from 'oidc-provider'
import { library } from './library.ts'
import { memory } from './memory.ts'
import { errorPage, PAGE_HEADERS } from './page.ts'
import { signingKey } from './signing-key.ts'
import type { Visit } from './visit.ts'

export interface DevGoogleClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUris: readonly string[]
}

/** How many sign-ins are remembered until their tokens are used. */
const VISITS_MAX = 1_000
const SCOPE = 'openid email profile'

/** A real OpenID provider, set up to answer as Google does. Its one page is elsewhere; see chooser.ts. */
export async function openIdProvider(
  issuer: string,
  mountPath: string,
  clients: readonly DevGoogleClient[],
): Promise<Provider> {
  const { Provider, Prompt, basePolicy } = await library()

  // Keyed on the grant, which every code and token carries: the same subject may sign in twice, with another e-mail or
  // another fault each time, and neither sign-in sees the other.
  const visits = new Map<string, Visit>()

  const policy = basePolicy()
  policy.remove('consent')
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0)

  const provider = new Provider(issuer, {
    adapter: memory(),
    clients: clients.map(({ clientId, clientSecret, redirectUris }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [...redirectUris],
      token_endpoint_auth_method: 'client_secret_post',
    })),
    clientAuthMethods: ['client_secret_post'],
    clientBasedCORS: () => false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    // Google puts the e-mail and the name into the ID token, too.
    conformIdTokenClaims: false,
    cookies: {
      names: { session: 'dev_google_session', interaction: 'dev_google_choice', resume: 'dev_google_resume' },
      // The two short ones get the exact path they are for from the provider itself.
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

    /** Choosing an account on the page was consent enough. */
    async loadExistingGrant(ctx) {
      const { client, account, result } = ctx.oidc
      if (!client || !account || !result) return undefined
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: account.accountId })
      grant.addOIDCScope(SCOPE)
      const grantId = await grant.save()
      visits.set(grantId, result.visit as Visit)
      for (const oldest of visits.keys()) {
        if (visits.size <= VISITS_MAX) break
        visits.delete(oldest)
      }
      return grant
    },

    findAccount(_ctx, sub, token) {
      const visit = token?.grantId === undefined ? undefined : visits.get(token.grantId)
      // Nobody behind the code: the provider itself then answers invalid_grant.
      if (visit?.breaks === 'token_exchange' && token?.kind === 'AuthorizationCode') return undefined
      return { accountId: sub, claims: (use) => claims(sub, visit, use) } satisfies Account
    },

    renderError(ctx, out) {
      ctx.set(PAGE_HEADERS)
      ctx.body = String(errorPage(mountPath, out.error_description ?? out.error))
    },
  })

  // Every address it prints comes from its issuer: the listener writes the forwarding headers, and no caller can.
  provider.proxy = true
  return provider
}

function claims(sub: string, visit: Visit | undefined, use: string) {
  if (visit === undefined) return { sub }
  // Thrown inside the userinfo endpoint, so that it really answers 500.
  if (visit.breaks === 'userinfo' && use === 'userinfo') throw new Error('This sign-in was asked to fail at userinfo.')
  return {
    sub,
    email: visit.email,
    email_verified: visit.emailVerified,
    ...(visit.name === null ? {} : { name: visit.name }),
    ...(visit.picture === null ? {} : { picture: visit.picture }),
  }
}
