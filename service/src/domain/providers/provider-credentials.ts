import type { OwnClients, ProviderKind } from '@gatehouse/contract'

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S

/** What an owner sends that isn't of the application at the provider. */
type Surroundings = 'mode' | 'redirect_uri' | 'display_name'

type Credentials<K extends ProviderKind> = { readonly kind: K } & {
  readonly [F in Exclude<keyof OwnClients[K] & string, Surroundings> as Camel<F>]: OwnClients[K][F]
}

/** What an owner or the operator got from a provider for their application: the fields of the contract, in camel case. */
export type ProviderCredentials = { [K in ProviderKind]: Credentials<K> }[ProviderKind]

/** The providers for which the operator can have a client that projects share, besides Google. */
export type SharedProviderName = 'github' | 'microsoft'

export type SharedCredentials = Extract<ProviderCredentials, { kind: SharedProviderName }>
