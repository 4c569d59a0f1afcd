import type { IdentityProvider } from '../../domain/login/identity-provider.ts'
import { readProfile } from '../../domain/login/profile.ts'
import type { ProviderFetch } from '../bounded-fetch.ts'
import { openIdProvider } from '../openid-provider.ts'

export interface GoogleConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: ProviderFetch
  /** Shorter in tests. */
  readonly deadlineMs?: number
}

export const google = ({
  issuer,
  clientId,
  clientSecret,
  fetch,
  deadlineMs,
}: GoogleConfig): IdentityProvider =>
  openIdProvider({
    issuer,
    clientId,
    clientSecret: () => clientSecret,
    parameters: ({ prompt = 'select_account', loginHint, uiLocales, hostedDomain }) => ({
      ...(prompt === 'auto' ? {} : { prompt }),
      ...(loginHint ? { login_hint: loginHint } : {}),
      ...(uiLocales ? { ui_locales: uiLocales } : {}),
      ...(hostedDomain ? { hd: hostedDomain } : {}),
    }),
    readProfile: (claims, { iss }) => readProfile(String(iss), claims),
    // From the ID token, as Google documents it; userinfo has it too.
    hostedDomain: ({ hd }) => (typeof hd === 'string' ? hd : null),
    fetch,
    deadlineMs,
  })
