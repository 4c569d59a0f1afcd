import { PROVIDER_LABELS, type ProviderClients } from './provider-clients.ts'

export { PROVIDER_LABELS, type ProviderClients } from './provider-clients.ts'

/** Who confirms the user: Google is always there, the others if your project has switched them on. */
export type ProviderName = Exclude<keyof ProviderClients, 'oidc'> | `oidc-${string}`

const OIDC_NAME = /^oidc-[a-z0-9-]{2,20}$/

export const isProviderName = (text: string): text is ProviderName =>
  Object.hasOwn(PROVIDER_LABELS, text) || OIDC_NAME.test(text)

export const PROVIDER_RULE = `provider must be ${Object.keys(PROVIDER_LABELS).join(', ')}, or oidc- and the name in your project.`

export function requireProviderName(text: string): ProviderName {
  if (isProviderName(text)) {
    return text
  }
  throw new TypeError(PROVIDER_RULE)
}

/** A way to sign in, for a button. */
export interface LoginProvider {
  readonly name: ProviderName
  /** For people: “GitHub”. */
  readonly displayName: string
}
