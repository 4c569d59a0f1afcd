import type { ProviderDefinition } from '../src/domain/providers/provider-client.ts'
import type { OpenIdDefinition } from './openid/definition.ts'
import { openIdStandIn } from './openid/openid-stand-in.ts'
import {
  EMAIL_NOT_VERIFIED,
  TOKEN_EXCHANGE_FAILS,
  USER_NOT_STORED,
  USERINFO_FAILS,
} from './page.ts'
import { isAcceptedSecret } from './simulated-sign-in.ts'
import type { StandIn, StandInConfig } from './stand-in.ts'

const OIDC: OpenIdDefinition = {
  title: 'OpenID provider',
  name: 'oidc',
  issuer: null,
  routes: { authorization: '/authorize', token: '/token', userinfo: '/userinfo', jwks: '/jwks' },
  scopes: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
  pkce: true,
  offersChooser: false,
  subjects: 'public',
  namesIssuer: true,
  cancelError: 'access_denied',
  faults: [TOKEN_EXCHANGE_FAILS, USERINFO_FAILS, EMAIL_NOT_VERIFIED, USER_NOT_STORED],
  organization: null,
  subject: (sub) => sub,
  claims: ({ email, emailVerified, name, picture }) => ({
    email,
    email_verified: emailVerified,
    ...(name === null ? {} : { name }),
    ...(picture === null ? {} : { picture }),
  }),
  acceptsSecret: isAcceptedSecret,
}

/** Any OpenID provider that an owner could choose. */
export const devOidc = (config: StandInConfig): Promise<StandIn> => openIdStandIn(OIDC, config)

/** A named provider without a stand-in of its own. */
export const devPlain = (
  name: string,
  { label, issuer, chooser }: ProviderDefinition,
  config: StandInConfig,
): Promise<StandIn> =>
  openIdStandIn({ ...OIDC, title: label, name, issuer, offersChooser: chooser }, config)
