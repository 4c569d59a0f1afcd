import type { IdentityProvider } from '../../domain/login/identity-provider.ts'
import { readProfile } from '../../domain/login/profile.ts'
import type { ProviderFetch } from '../bounded-fetch.ts'
import { openIdProvider } from '../openid-provider.ts'

export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Reaches public hosts only: an owner chose the issuer, and the issuer chooses its endpoints (SSRF). */
  readonly fetch: ProviderFetch
}

/** Any OpenID provider, with an owner's client. It must support discovery, ID tokens, `nonce` and PKCE. */
export const oidc = ({ issuer, clientId, clientSecret, fetch }: OidcConfig): IdentityProvider =>
  openIdProvider({
    issuer,
    clientId,
    clientSecret: () => clientSecret,
    scope: 'openid email profile',
    pkce: true,
    claimsFrom: 'userinfo',
    parameters: ({ prompt = 'select_account', loginHint, uiLocales }) => ({
      ...(prompt === 'auto' ? {} : { prompt }),
      ...(loginHint ? { login_hint: loginHint } : {}),
      ...(uiLocales ? { ui_locales: uiLocales } : {}),
    }),
    readProfile: (claims, { iss }) => readProfile(String(iss), claims),
    fetch,
  })
