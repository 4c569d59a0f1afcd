import { createHash } from 'node:crypto'
import type { Provider } from 'oidc-provider'
import type { OpenIdDefinition } from './openid/definition.ts'
import { openIdStandIn } from './openid/openid-stand-in.ts'
import { EMAIL_NOT_VERIFIED, TOKEN_EXCHANGE_FAILS, USER_NOT_STORED } from './page.ts'
import { Newest, type SimulatedSignIn } from './simulated-sign-in.ts'
import type { StandIn, StandInConfig } from './stand-in.ts'

const APPLE: OpenIdDefinition = {
  title: 'Apple',
  name: 'apple',
  issuer: 'https://appleid.apple.com',
  routes: {
    authorization: '/auth/authorize',
    token: '/auth/token',
    // Apple has no userinfo endpoint.
    userinfo: '/unused/userinfo',
    jwks: '/auth/keys',
  },
  scopes: { openid: ['sub'], name: [], email: ['email', 'email_verified', 'is_private_email'] },
  pkce: false,
  offersChooser: true,
  subjects: 'public',
  namesIssuer: false,
  cancelError: 'user_cancelled_authorize',
  faults: [
    TOKEN_EXCHANGE_FAILS,
    { ...EMAIL_NOT_VERIFIED, effect: 'Ada signs in with email_verified: "false".' },
    USER_NOT_STORED,
  ],
  organization: null,
  subject: appleSubject,
  claims: ({ email, emailVerified }) => ({
    email,
    // Apple sends booleans as texts.
    email_verified: String(emailVerified),
    is_private_email: String(email.endsWith('@privaterelay.appleid.com')),
  }),
  acceptsSecret: isAppleClientSecret,
  adapt(provider) {
    nameUserOnce(provider)
    isolateFormPost(provider)
  },
}

export const devApple = (config: StandInConfig): Promise<StandIn> => openIdStandIn(APPLE, config)

function appleSubject(sub: string): string {
  const digest = createHash('sha256').update(sub).digest('hex')
  return `${sub.slice(-6)}.${digest.slice(0, 32)}.${sub.slice(-4)}`
}

/** The form has the name and email address only when a user signs in to a client for the first time. */
function nameUserOnce(provider: Provider): void {
  const known = new Newest<true>()
  provider.on('authorization.success', (ctx, out = {}) => {
    const signIn = ctx.oidc.result?.signIn as SimulatedSignIn | undefined
    if (signIn === undefined) {
      return
    }
    const account = `${ctx.oidc.client?.clientId} ${signIn.sub}`
    if (!known.has(account)) {
      known.set(account, true)
      Object.assign(out, { user: JSON.stringify(namedUser(signIn)) })
    }
  })
}

function namedUser({ name, email }: SimulatedSignIn): object {
  if (name === null) {
    return { email }
  }
  const [firstName = '', ...rest] = name.split(' ')
  return { name: { firstName, lastName: rest.join(' ') }, email }
}

/**
 * The page with the form has an origin of its own (`sandbox`), so that the browser posts it as it does from Apple: without
 * cookies that are `SameSite=Lax`. oidc-provider adds the hash of its script, and a button for browsers without script.
 */
function isolateFormPost(provider: Provider): void {
  provider.use(async (ctx, next) => {
    ctx.set({
      'Content-Security-Policy':
        "sandbox allow-forms allow-scripts allow-top-navigation; default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
    })
    await next()
  })
}

/** Half a year, the longest lifetime that Apple allows. */
const LIFETIME_MAX_SECONDS = 15_777_000
/** ES256: two numbers of 32 bytes. */
const SIGNATURE_BYTES = 64

/**
 * Whether a client secret is a JWT as Apple asks for. The signature cannot be verified, because the stand-in does not have
 * the keys of teams. The key id or team id `WRONG…` is refused, so that an owner can see what a wrong one does.
 */
export function isAppleClientSecret(secret: string, clientId: string, now: number): boolean {
  const [header, payload, signature = '', ...more] = secret.split('.')
  if (more.length > 0 || Buffer.from(signature, 'base64url').length !== SIGNATURE_BYTES) {
    return false
  }

  const { alg, kid } = decoded(header)
  if (alg !== 'ES256' || !isId(kid)) {
    return false
  }

  const { iss, sub, aud, iat, exp } = decoded(payload)
  if (!isId(iss) || sub !== clientId || aud !== 'https://appleid.apple.com') {
    return false
  }

  const seconds = now / 1_000
  if (typeof iat !== 'number' || typeof exp !== 'number') {
    return false
  }
  return exp > seconds && exp <= seconds + LIFETIME_MAX_SECONDS
}

/** Keys and teams have ids of ten characters. */
const isId = (id: unknown): boolean =>
  typeof id === 'string' && /^[A-Z0-9]{10}$/.test(id) && !id.startsWith('WRONG')

function decoded(part: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
