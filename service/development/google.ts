import type { OpenIdDefinition } from './openid/definition.ts'
import { openIdStandIn } from './openid/openid-stand-in.ts'
import {
  EMAIL_NOT_VERIFIED,
  TOKEN_EXCHANGE_FAILS,
  USER_NOT_STORED,
  USERINFO_FAILS,
} from './page.ts'
import { isAcceptedSecret } from './simulated-sign-in.ts'
import type { SharedClient, StandIn } from './stand-in.ts'

const GOOGLE: OpenIdDefinition = {
  title: 'Google',
  name: 'google',
  issuer: null,
  routes: {
    authorization: '/o/oauth2/v2/auth',
    token: '/token',
    userinfo: '/v1/userinfo',
    jwks: '/oauth2/v3/certs',
  },
  scopes: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'picture', 'hd'],
  },
  pkce: true,
  offersChooser: true,
  subjects: 'public',
  namesIssuer: true,
  cancelError: 'access_denied',
  faults: [TOKEN_EXCHANGE_FAILS, USERINFO_FAILS, EMAIL_NOT_VERIFIED, USER_NOT_STORED],
  organization: { field: 'hd', label: 'Workspace domain' },
  subject: (sub) => sub,
  claims: ({ email, emailVerified, workspace, name, picture }) => ({
    email,
    email_verified: emailVerified,
    ...(workspace === null ? {} : { hd: workspace }),
    ...(name === null ? {} : { name }),
    ...(picture === null ? {} : { picture }),
  }),
  acceptsSecret: isAcceptedSecret,
}

export const devGoogle = (config: {
  readonly issuer: string
  readonly clients: readonly SharedClient[]
}): Promise<StandIn> =>
  openIdStandIn(GOOGLE, { url: config.issuer, clients: config.clients, now: Date.now })
