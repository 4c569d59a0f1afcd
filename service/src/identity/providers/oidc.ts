import type { ServerMetadata } from 'openid-client'
import type { AccountHints, IdentityProvider } from '../../domain/login/identity-provider.ts'
import { readProfile } from '../../domain/login/profile.ts'
import { normalizeIssuer } from '../../domain/providers/provider-client.ts'
import type { ProviderFetch } from '../bounded-fetch.ts'
import { openIdProvider } from '../openid-provider.ts'

interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** For an issuer that an owner chose: reaches public hosts only, because the issuer chooses its endpoints (SSRF). */
  readonly fetch: ProviderFetch
  /** Whether it shows its account chooser if it is asked to. By default as its metadata says. */
  readonly chooser?: boolean | undefined
  /** In development: its endpoints are on this machine. */
  readonly insecure?: boolean | undefined
}

/** A provider that is plain OpenID Connect. It must support discovery, ID tokens, `nonce` and PKCE. */
export const oidc = ({
  issuer,
  clientId,
  clientSecret,
  fetch,
  chooser,
  insecure,
}: OidcConfig): IdentityProvider =>
  openIdProvider({
    issuer,
    clientId,
    clientSecret: () => clientSecret,
    parameters: ({ prompt, loginHint, uiLocales }, metadata) => ({
      ...promptParameter(prompt, chooser ?? offersChooser(metadata)),
      ...(loginHint ? { login_hint: loginHint } : {}),
      ...(uiLocales ? { ui_locales: uiLocales } : {}),
    }),
    readProfile: (claims, { iss }) => readProfile(normalizeIssuer(String(iss)), claims),
    fetch,
    insecure,
  })

/** Not every provider knows `select_account`, and some refuse a request with it: only with those that announce it. */
const offersChooser = ({ prompt_values_supported: values }: ServerMetadata): boolean =>
  Array.isArray(values) && values.includes('select_account')

/** Every provider knows `login`, which asks for an account too (OpenID Connect Core, section 3.1.2.1). */
function promptParameter(
  prompt: AccountHints['prompt'],
  hasChooser: boolean,
): { readonly prompt?: string } {
  if (prompt === 'auto' || (prompt === undefined && !hasChooser)) {
    return {}
  }
  return { prompt: hasChooser ? 'select_account' : 'login' }
}
