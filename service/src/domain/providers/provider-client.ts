import { createPrivateKey } from 'node:crypto'
import {
  OPERATOR_PROVIDERS,
  type OperatorProvider,
  type OwnClients,
  type ProviderKind,
  type ProviderName,
  type ProviderStatus,
} from '@gatehouse-auth/contract'
import { readBrandName } from '../brand/brand-name.ts'
import { registrableDomain } from '../brand/domain.ts'
import { isLoopback } from '../callbacks/host.ts'
import { isWildcard } from '../callbacks/parts.ts'
import { callbackFromStored } from '../callbacks/url.ts'
import type { ProviderClientId, TenantId } from '../ids.ts'
import { ATTEMPT_LIFETIME_MS } from '../login/attempt.ts'
import { readPublicUrl } from '../network/public-url.ts'
import type { Duration, Instant } from '../time.ts'
import type { Keyring } from '../tokens/keyring.ts'
import { type RandomBytes, randomBase62 } from '../tokens/random-text.ts'
import { seal, unseal } from '../tokens/secret.ts'

// For storage and identity, which import the domain.
export {
  isProviderName,
  NAMED_PROVIDERS,
  type NamedProvider,
  PROVIDERS,
  type ProviderDefinition,
  type ProviderName,
  type ProviderStatus,
  providerKind,
} from '@gatehouse-auth/contract'

/** Both parts, because every query names the tenant. */
export interface ProviderClientRef {
  readonly tenantId: TenantId
  readonly id: ProviderClientId
}

/**
 * A client with which users of one app sign in at a provider. It never changes but for its status: a login ends with the
 * client that it began with, also if the owner replaces it meanwhile.
 */
export interface ProviderClient extends ProviderClientRef {
  readonly provider: ProviderName
  /** `shared`: the operator's client. Then the next four fields are null. */
  readonly mode: 'shared' | 'own'
  readonly clientId: string | null
  /** The issuer of an OpenID provider that the owner chose; null: another provider. */
  readonly issuer: string | null
  readonly displayName: string | null
  /** The credentials (`sealCredentials`). */
  readonly sealed: Uint8Array | null
  readonly redirectUri: string
  readonly status: ProviderStatus
  readonly createdAt: Instant
  /** The last successful test sign-in of the owner. */
  readonly testedAt: Instant | null
  /** Replaced or removed. Logins that began with it may still end. */
  readonly retiredAt: Instant | null
}

/** A retired client is kept as long as a login that began with it, also if that went back to the account chooser. */
export const RETIRED_KEPT_MS: Duration = 2 * ATTEMPT_LIFETIME_MS

const ID_CHARACTERS = 16

export const newProviderClientId = (random: RandomBytes): ProviderClientId =>
  `pc_${randomBase62(ID_CHARACTERS, random)}`

/** The client that logins use. A failing one is used, too: falling back to another would hide that its secret is wrong. */
export const clientInUse = (
  clients: readonly ProviderClient[],
  provider: ProviderName,
): ProviderClient | null =>
  clients.find((client) => client.provider === provider && client.status !== 'pending') ?? null

/** The client that the owner set last: one that waits for its test sign-in, or the one in use. */
export const newestClient = (
  clients: readonly ProviderClient[],
  provider: ProviderName,
): ProviderClient | null =>
  clients.find((client) => client.provider === provider && client.status === 'pending') ??
  clientInUse(clients, provider)

/** A problem is a sentence for the owner; null: none. */
type Problem = string | null

/**
 * An issuer as it is stored and compared: without spaces around it, with scheme and host in lower case, without the default
 * port and without a path of `/` alone. Any other path stays as it is.
 */
export function normalizeIssuer(text: string): string {
  const issuer = text.trim()
  const [written = ''] = /^https?:\/\/[^/?#@\\]+/i.exec(issuer) ?? []
  const path = issuer.slice(written.length)
  return URL.canParse(written) ? new URL(written).origin + (path === '/' ? '' : path) : issuer
}

/** The name of an OpenID provider obeys the rules of a brand; a well-known one needs an issuer on a domain of that brand. */
export function readProviderName(text: string, issuer: string, operatorName: string | null) {
  const domain = registrableDomain(URL.parse(issuer)?.hostname ?? '')
  const brandHint = 'Only an issuer on a domain of that brand may have it.'
  return readBrandName(text, { operatorName, domains: domain === null ? [] : [domain], brandHint })
}

/** An issuer has neither query nor fragment (OpenID Connect Discovery, section 2). */
export function issuerProblem(issuer: string, baseUrl: string): Problem {
  const read = readPublicUrl(issuer, baseUrl)
  if (!read.ok) {
    return read.problem
  }
  return read.url.search === '' && !issuer.includes('?') ? null : 'An issuer has no query.'
}

/**
 * A relay is a URL of the app that redirects to our callback, so that the provider shows the app's domain. Only on a host
 * that the owner registered by its whole name: the response of the provider passes there.
 */
export function relayProblem(redirectUri: string, callbackUrls: readonly string[]): Problem {
  const url = URL.parse(redirectUri)
  if (url === null) {
    return 'This is not an absolute URL.'
  }
  if (url.username !== '' || url.password !== '') {
    return 'Leave user name and password out of the URL.'
  }
  if (/[?#]/.test(redirectUri)) {
    return 'Leave query and fragment out: the provider adds its own query.'
  }
  if (url.href !== redirectUri) {
    return `Write it as ${url.href}.`
  }

  const exact = callbackUrls.map(callbackFromStored).filter(({ host }) => !isWildcard(host))
  const isRegistered = exact.some(({ href }) => isSameHost(new URL(href), url))
  if (!isRegistered) {
    return 'Use the scheme and host of a callback URL of this app, one without a wildcard.'
  }
  return null
}

/** The port of a loopback host is free, as in callback URLs. */
const isSameHost = (registered: URL, url: URL): boolean =>
  isLoopback(url)
    ? registered.hostname === url.hostname && registered.protocol === url.protocol
    : registered.origin === url.origin

/** Apple's keys are for ES256: EC keys on the curve P-256. */
export function applePrivateKeyProblem(privateKey: string): Problem {
  try {
    const key = createPrivateKey(privateKey)
    if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') {
      return null
    }
  } catch {
    // Not a key.
  }
  return 'Send the content of the .p8 file that Apple created, with its first and last line.'
}

/** The fields of the contract that an owner or the operator got from a provider for their application, as they are stored. */
const CREDENTIAL_FIELDS = {
  client_id: 'clientId',
  client_secret: 'clientSecret',
  directory: 'directory',
  team_id: 'teamId',
  key_id: 'keyId',
  private_key: 'privateKey',
  issuer: 'issuer',
} as const

type CredentialField = keyof typeof CREDENTIAL_FIELDS

type Credentials<K extends ProviderKind> = { readonly kind: K } & {
  readonly [F in keyof OwnClients[K] &
    CredentialField as (typeof CREDENTIAL_FIELDS)[F]]: OwnClients[K][F]
}

export type ProviderCredentials = { [K in ProviderKind]: Credentials<K> }[ProviderKind]

/** The cast holds because the type has the names of the same table. */
export const credentialsOf = <Kind extends ProviderKind>(
  kind: Kind,
  client: OwnClients[Kind],
): Extract<ProviderCredentials, { kind: Kind }> =>
  ({
    kind,
    ...Object.fromEntries(
      Object.entries(client).flatMap(([name, value]) =>
        name in CREDENTIAL_FIELDS ? [[CREDENTIAL_FIELDS[name as CredentialField], value]] : [],
      ),
    ),
  }) as Extract<ProviderCredentials, { kind: Kind }>

/** The providers for which the operator can have a client that projects share, besides Google. */
export type SharedProviderName = Exclude<OperatorProvider, 'google'>

export const SHARED_PROVIDERS = OPERATOR_PROVIDERS.filter((name) => name !== 'google')

export type SharedCredentials = Extract<ProviderCredentials, { kind: SharedProviderName }>

type About = ProviderClientRef & Pick<ProviderClient, 'provider'>

/** Sealed, because a hash cannot authenticate at the provider. */
export const sealCredentials = (
  keyring: Keyring,
  about: About,
  credentials: ProviderCredentials,
  random: RandomBytes,
): Uint8Array => seal(keyring, contextOf(about), JSON.stringify(credentials), random)

/** null: shared, or sealed with a master key that is not in the ring. */
export function unsealCredentials(
  keyring: Keyring,
  client: ProviderClient,
): ProviderCredentials | null {
  const text = client.sealed === null ? null : unseal(keyring, contextOf(client), client.sealed)
  return text === null ? null : (JSON.parse(text) as ProviderCredentials)
}

const contextOf = ({ tenantId, provider, id }: About): string => `${tenantId}\0${provider}\0${id}`
