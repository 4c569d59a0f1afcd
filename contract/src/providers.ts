/**
 * Every provider: what people call it, and the issuer of its users, or its beginning if it ends with a slash. null: Google's
 * issuer is a setting. `chooser`: it shows its account chooser to everyone if it is asked to, so that a sign-in needs a click.
 */
export const PROVIDERS = {
  google: { label: 'Google', issuer: null, chooser: true },
  github: { label: 'GitHub', issuer: 'https://github.com', chooser: true },
  // Each directory is an issuer.
  microsoft: { label: 'Microsoft', issuer: 'https://login.microsoftonline.com/', chooser: true },
  apple: { label: 'Apple', issuer: 'https://appleid.apple.com', chooser: false },
} as const satisfies Readonly<
  Record<
    string,
    { readonly label: string; readonly issuer: string | null; readonly chooser: boolean }
  >
>

export type NamedProvider = keyof typeof PROVIDERS

/** A project can have several of the kind `oidc`, each with a name of its own. */
export type ProviderKind = NamedProvider | 'oidc'

export type AnyProvider = NamedProvider | `oidc-${string}`

export const NAMED_PROVIDERS = Object.keys(PROVIDERS)

/** The form of a name, for a regular expression. */
export const PROVIDER_PATTERN = `(${NAMED_PROVIDERS.join('|')}|oidc-[a-z0-9-]{2,20})`

const NAME = new RegExp(`^${PROVIDER_PATTERN}$`)

export const OIDC_NAME = 'oidc- and a name that you choose: 2 to 20 of a-z, 0-9 and "-"'

/** The names, for a message. */
export const PROVIDER_LIST = `${NAMED_PROVIDERS.join(', ')}, or ${OIDC_NAME}`

export const isProviderName = (text: string): text is AnyProvider => NAME.test(text)

export const providerKind = (name: AnyProvider): ProviderKind =>
  name.startsWith('oidc-') ? 'oidc' : (name as NamedProvider)
