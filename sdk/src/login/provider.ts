/** Who confirms the user: Google is always there, the others if your project has switched them on. */
export type ProviderName = 'google' | 'github' | 'microsoft' | 'apple' | `oidc-${string}`

const NAME = /^(google|github|microsoft|apple|oidc-[a-z0-9-]{2,20})$/

export const isProviderName = (text: string): text is ProviderName => NAME.test(text)

export function requireProviderName(text: string): ProviderName {
  if (isProviderName(text)) return text
  throw new TypeError('provider must be google, github, microsoft, apple, or oidc- and the name in your project.')
}

/** A way to sign in, for a button. */
export interface LoginProvider {
  readonly name: ProviderName
  /** For people: “GitHub”. */
  readonly displayName: string
}
