import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Provider } from 'oidc-provider'
import type { OpenIdDefinition } from './openid/definition.ts'
import { openIdStandIn } from './openid/openid-stand-in.ts'
import { signingKey } from './openid/signing-key.ts'
import { EMAIL_NOT_VERIFIED, TOKEN_EXCHANGE_FAILS, USER_NOT_STORED } from './page.ts'
import { isAcceptedSecret } from './simulated-sign-in.ts'
import type { StandIn, StandInConfig } from './stand-in.ts'

/** The directory of the sample users. */
const DIRECTORY = '00000000-0000-4000-8000-000000001815'
/** The directory of all personal accounts. */
const PERSONAL_ACCOUNTS = '9188040d-6c67-4c5b-b112-36a304b66dad'
/** The issuer in the metadata of `common`: each ID token names the directory of its user instead. */
const TEMPLATE = 'https://login.microsoftonline.com/{tenantid}/v2.0'

const issuerOf = (directory: string): string => TEMPLATE.replace('{tenantid}', directory)

const MICROSOFT: OpenIdDefinition = {
  title: 'Microsoft',
  name: 'microsoft',
  issuer: TEMPLATE,
  routes: {
    authorization: '/oauth2/v2.0/authorize',
    token: '/oauth2/v2.0/token',
    userinfo: '/oidc/userinfo',
    jwks: '/discovery/v2.0/keys',
  },
  authority: /^\/[^/]+(?=\/(?:\.well-known|oauth2|oidc|discovery)\/)/,
  scopes: { openid: ['sub', 'oid', 'tid'], email: ['email', 'xms_edov'], profile: ['name'] },
  pkce: true,
  offersChooser: true,
  subjects: 'pairwise',
  namesIssuer: false,
  cancelError: 'access_denied',
  faults: [
    TOKEN_EXCHANGE_FAILS,
    { ...EMAIL_NOT_VERIFIED, effect: 'Ada signs in without the claim xms_edov.' },
    USER_NOT_STORED,
  ],
  organization: { field: 'tid', label: 'Directory id' },
  subject: guid,
  claims({ sub, directory, email, emailVerified, name }, use) {
    const shown = name === null ? { email } : { email, name }
    // Microsoft's userinfo has none of the others.
    if (use === 'userinfo') {
      return shown
    }
    const known = { ...shown, oid: sub, tid: directory ?? DIRECTORY }
    return emailVerified ? { ...known, xms_edov: true } : known
  },
  acceptsSecret: isAcceptedSecret,
  adapt: nameDirectory,
}

export const devMicrosoft = (config: StandInConfig): Promise<StandIn> =>
  openIdStandIn(MICROSOFT, config)

/** The form of an object id. */
function guid(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex')
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

/** The only directory whose users sign in at this URL. null: users of every directory. */
function directoryAt(url: string): string | null {
  const [, authority] = /\/([^/]+)\/(?:\.well-known|oauth2)\//.exec(url) ?? []
  if (authority === undefined || ['microsoft', 'common', 'organizations'].includes(authority)) {
    return null
  }
  if (authority === 'consumers') {
    return PERSONAL_ACCOUNTS
  }
  return authority.includes('.') ? guid(authority) : authority
}

/**
 * oidc-provider has one issuer, so the metadata of a single directory gets another one, and the ID token is signed again with
 * the directory of the user in `iss`. In a single directory that is its own, for guests too.
 */
function nameDirectory(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next()
    const directory = directoryAt((ctx.req as { originalUrl?: string }).originalUrl ?? '')
    const route = ctx.oidc?.route
    if (route === 'discovery' && directory !== null) {
      ctx.body.issuer = issuerOf(directory)
    }
    if (route === 'token' && typeof ctx.body?.id_token === 'string') {
      ctx.body = { ...ctx.body, id_token: await signAgain(ctx.body.id_token, directory) }
    }
  })
}

/** The ID token with the directory of its user in `iss`. */
async function signAgain(idToken: string, directory: string | null): Promise<string> {
  const [header = '', payload = ''] = idToken.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const tid = directory ?? claims.tid
  const named = { ...claims, tid, iss: issuerOf(tid) }

  const content = `${header}.${Buffer.from(JSON.stringify(named)).toString('base64url')}`
  const signature = sign('sha256', Buffer.from(content), await privateKey())
  return `${content}.${signature.toString('base64url')}`
}

let key: KeyObject | undefined

async function privateKey(): Promise<KeyObject> {
  key ??= createPrivateKey({
    key: { ...(await signingKey()) } as Record<string, string>,
    format: 'jwk',
  })
  return key
}
