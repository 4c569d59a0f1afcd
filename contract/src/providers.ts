import { apple } from './providers/apple.ts'
import { github } from './providers/github.ts'
import { google } from './providers/google.ts'
import { microsoft } from './providers/microsoft.ts'
import { oidc } from './providers/oidc.ts'

/** Every provider with a name of its own, in the order of the documentation. */
export const PROVIDERS = { google, github, microsoft, apple } as const

/** The same, with what all OpenID providers have in common that owners choose. */
export const PROVIDER_KINDS = { ...PROVIDERS, oidc } as const

export type NamedProvider = keyof typeof PROVIDERS

/** A project can have several of the kind `oidc`, each with a name of its own. */
export type ProviderKind = keyof typeof PROVIDER_KINDS

export type AnyProvider = NamedProvider | `oidc-${string}`

export const NAMED_PROVIDERS = Object.keys(PROVIDERS) as readonly NamedProvider[]

/** A provider at which the operator can have a client. */
export type OperatorProvider = {
  [K in NamedProvider]: (typeof PROVIDERS)[K]['operator'] extends null ? never : K
}[NamedProvider]

const hasOperator = (name: NamedProvider): name is OperatorProvider =>
  PROVIDERS[name].operator !== null

export const OPERATOR_PROVIDERS = NAMED_PROVIDERS.filter(hasOperator)

/** The form of a name, for a regular expression. */
export const PROVIDER_PATTERN = `(${NAMED_PROVIDERS.join('|')}|oidc-[a-z0-9-]{2,20})`

const NAME = new RegExp(`^${PROVIDER_PATTERN}$`)

export const OIDC_NAME = 'oidc- and a name that you choose: 2 to 20 of a-z, 0-9 and "-"'

/** The names, for a message. */
export const PROVIDER_LIST = `${NAMED_PROVIDERS.join(', ')}, or ${OIDC_NAME}`

export const isProviderName = (text: string): text is AnyProvider => NAME.test(text)

export const providerKind = (name: AnyProvider): ProviderKind =>
  name.startsWith('oidc-') ? 'oidc' : (name as NamedProvider)
