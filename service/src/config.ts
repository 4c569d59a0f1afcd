import { ACCESS_TOKEN_SECONDS, TEST_ACCESS_TOKEN_MIN_SECONDS } from '@gatehouse-auth/contract'
import { isLoopback } from './domain/callbacks/host.ts'
import { type Cidr, readCidr, readIpAddress } from './domain/network/ip-address.ts'
import {
  credentialsOf,
  PROVIDERS,
  SHARED_PROVIDERS,
  type SharedCredentials,
  type SharedProviderName,
} from './domain/providers/provider-client.ts'
import type { MasterKey } from './domain/tokens/keyring.ts'
import { KeyProblem, readServiceKeys } from './keys.ts'
import { type OperatorSettings, readOperator } from './operator.ts'
import { readDatabaseUrls } from './storage/postgres/connection/database-url.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** Without a trailing slash. Every URL of the service starts with it; the Host header is never used. */
  readonly baseUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** If databaseUrl leads to a pooler: the server itself. null: the same. */
  readonly databaseUrlDirect: string | null
  /** Patroni's REST API on each node, which then confirms the primary. Empty: none. */
  readonly patroniUrls: readonly string[]
  /** null: the development Google. */
  readonly google: {
    readonly clientId: string
    readonly clientSecret: string
    readonly issuer: string
  } | null
  /** Empty with the development Google: its stand-ins are shared instead. */
  readonly sharedClients: readonly SharedCredentials[]
  /** The development Google is used although the service listens on more than the loopback interface. */
  readonly exposedDevelopmentSignIn: boolean
  /** How long an access token is valid: an hour; with the development Google, less if it is set. */
  readonly accessTokenSeconds: number
  /** With the development Google only: events are counted, and no limit rejects them. */
  readonly unlimited: boolean
  readonly trustedProxies: readonly Cidr[]
  readonly workers: number
  /** How long a stopping instance serves as before, while load balancers read the 503 of /readyz. */
  readonly stopAfterMs: number
  /** How long a start waits for a PostgreSQL that accepts writes. */
  readonly startWaitSeconds: number
  /** How long an idle connection stays open. Longer than a proxy keeps it, so that the proxy closes it. */
  readonly keepAliveSeconds: number
  /** Older events are removed; null keeps them all. */
  readonly eventRetentionDays: number | null
  /** closed: verify responds 503 once the revocation feed has been stale for `verifyStaleSeconds`. */
  readonly verifyStalePolicy: 'open' | 'closed'
  readonly verifyStaleSeconds: number
  /** How long a spent refresh token of an agent still returns the current one (decision 44). */
  readonly agentRefreshGraceSeconds: number
  /** A client's id may be the URL of its metadata document. Only on a public base URL. */
  readonly clientMetadataDocuments: boolean
  readonly operator: OperatorSettings
  /** Newest first. null: read the key file in dataDir. */
  readonly serviceKeys: readonly MasterKey[] | null
}

type ConfigRead =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

function readNumber(
  name: string,
  value: string | null,
  { fallback, min, max }: { readonly fallback: number; readonly min: number; readonly max: number },
  problems: string[],
): number {
  if (value === null) {
    return fallback
  }
  if (/^\d{1,6}$/.test(value) && Number(value) >= min && Number(value) <= max) {
    return Number(value)
  }
  problems.push(
    `${name} must be a whole number from ${min} to ${max}. Example: ${name}=${fallback}`,
  )
  return fallback
}

function readStalePolicy(value: string | null, problems: string[]): Config['verifyStalePolicy'] {
  if (value !== null && value !== 'open' && value !== 'closed') {
    problems.push('VERIFY_STALE_POLICY must be open or closed. Leave it unset for open.')
  }
  return value === 'closed' ? 'closed' : 'open'
}

function workersProblems(
  databaseUrl: Config['databaseUrl'],
  google: Config['google'],
): readonly string[] {
  const problems: string[] = []
  if (databaseUrl === null) {
    problems.push(
      'WORKERS above 1 needs PostgreSQL: set DATABASE_URL=postgres://…, or leave WORKERS unset.',
    )
  }
  if (google === null) {
    problems.push(
      'WORKERS above 1 needs a real Google (GOOGLE_CLIENT_ID): the development one lives in one process.',
    )
  }
  return problems
}

/** Reads the settings from the environment. Reports all problems at once, each with its fix. */
export function readConfig(env: Environment): ConfigRead {
  const problems: string[] = []
  const text = (name: string): string | null => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const number = (name: string, fallback: number, min: number, max: number): number =>
    readNumber(name, text(name), { fallback, min, max }, problems)

  const port = number('PORT', 8787, 1, 65_535)
  const base = readBaseUrl(text('BASE_URL') ?? `http://localhost:${port}`, problems)
  const databaseUrl = readDatabaseUrl('DATABASE_URL', text('DATABASE_URL'), problems)
  const databaseUrlDirect = readDatabaseUrl(
    'DATABASE_URL_DIRECT',
    text('DATABASE_URL_DIRECT'),
    problems,
  )
  if (databaseUrl === null && databaseUrlDirect !== null) {
    problems.push(
      'DATABASE_URL_DIRECT is set without DATABASE_URL: set DATABASE_URL to the pooler, or only DATABASE_URL.',
    )
  }
  const patroniUrls = readPatroniUrls(
    text('PATRONI_URLS'),
    databaseUrlDirect ?? databaseUrl,
    problems,
  )
  const workers = number('WORKERS', 1, 1, 64)
  const verifyStalePolicy = readStalePolicy(text('VERIFY_STALE_POLICY'), problems)
  const google = readGoogle(text, base, problems)
  if (workers > 1) {
    problems.push(...workersProblems(databaseUrl, google))
  }
  const host = readHost(text('HOST') ?? '127.0.0.1', problems)
  if (google !== null) {
    rejectDevelopmentSettings(text, problems)
  }
  const config: Config = {
    port,
    host,
    baseUrl: base?.origin ?? '',
    dataDir: text('DATA_DIR') ?? './data',
    databaseUrl,
    databaseUrlDirect,
    patroniUrls,
    google,
    sharedClients: readSharedClients(text, google !== null, problems),
    exposedDevelopmentSignIn:
      google === null && readExposed(host, text('ALLOW_DEVELOPMENT_SIGN_IN'), problems),
    accessTokenSeconds: number(
      'DEV_ACCESS_TOKEN_SECONDS',
      ACCESS_TOKEN_SECONDS,
      TEST_ACCESS_TOKEN_MIN_SECONDS,
      ACCESS_TOKEN_SECONDS,
    ),
    unlimited: readUnlimited(text('DEV_UNLIMITED'), problems),
    trustedProxies: readProxies(text('TRUSTED_PROXIES'), problems),
    workers,
    stopAfterMs: number('STOP_AFTER_MS', 0, 0, 600_000),
    startWaitSeconds: number('START_WAIT_SECONDS', 0, 0, 3_600),
    keepAliveSeconds: number('KEEP_ALIVE_SECONDS', 75, 5, 3_600),
    // Webhooks send events for 30 days at most.
    eventRetentionDays:
      text('EVENT_RETENTION_DAYS') === null
        ? null
        : number('EVENT_RETENTION_DAYS', 365, 30, 36_500),
    verifyStalePolicy,
    verifyStaleSeconds: number('VERIFY_STALE_SECONDS', 30, 10, 3_600),
    agentRefreshGraceSeconds: number('AGENT_REFRESH_GRACE_SECONDS', 600, 0, 3_600),
    clientMetadataDocuments: readSwitch(
      'CLIENT_METADATA_DOCUMENTS',
      text('CLIENT_METADATA_DOCUMENTS'),
      problems,
    ),
    operator: readOperator(
      {
        name: text('OPERATOR_NAME'),
        privacyUrl: text('PRIVACY_URL'),
        termsUrl: text('TERMS_URL'),
        supportUrl: text('SUPPORT_URL'),
      },
      problems,
    ),
    serviceKeys: readKeys(text('SERVICE_KEYS'), problems),
  }
  return problems.length === 0 ? { ok: true, config } : { ok: false, problems }
}

const isHost = (value: string): boolean =>
  readIpAddress(value) !== null || /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(value)

function readHost(value: string, problems: string[]): string {
  if (!isHost(value)) {
    problems.push(
      'HOST must be an address of this machine. Example: HOST=127.0.0.1, or HOST=0.0.0.0 for all of them.',
    )
  }
  return value
}

/** Anyone who reaches the development Google can sign in as anyone, so listening beyond loopback must be on purpose. */
function readExposed(host: string, allowed: string | null, problems: string[]): boolean {
  if (!isHost(host) || host === 'localhost' || host === '::1' || /^127\./.test(host)) {
    return false
  }
  if (allowed !== '1') {
    problems.push(
      'HOST is not loopback, so a real Google is needed: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET. Only to try it, set HOST=127.0.0.1, or in a container ALLOW_DEVELOPMENT_SIGN_IN=1 and publish the port on 127.0.0.1: everyone who reaches it can sign in as anyone.',
    )
  }
  return true
}

function readHttpOrigin(value: string): URL | null {
  const url = URL.parse(value)
  return url?.href === `${url?.origin}/` && /^https?:$/.test(url.protocol) ? url : null
}

function readPatroniUrls(
  value: string | null,
  databaseUrl: string | null,
  problems: string[],
): string[] {
  const urls = value?.split(',').map((url) => url.trim()) ?? []
  if (urls.some((url) => readHttpOrigin(url) === null)) {
    problems.push(
      'PATRONI_URLS must be http(s) origins without a path, separated by commas. Example: PATRONI_URLS=http://10.0.0.1:8008,http://10.0.0.2:8008',
    )
  } else if (urls.length > 0 && !databaseUrl?.includes(',')) {
    problems.push(
      'PATRONI_URLS needs several hosts in DATABASE_URL. Behind haproxy, leave it unset.',
    )
  }
  return urls
}

function readBaseUrl(value: string, problems: string[]): URL | null {
  const url = readHttpOrigin(value)
  if (url === null) {
    problems.push(
      'BASE_URL must be an http(s) origin without a path. Example: BASE_URL=https://login.example.com',
    )
    return null
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    problems.push(
      'BASE_URL must be https unless it is on this machine. Example: BASE_URL=https://login.example.com',
    )
  }
  return url
}

function readDatabaseUrl(setting: string, value: string | null, problems: string[]): string | null {
  const read = value === null ? null : readDatabaseUrls(setting, value)
  if (read?.ok === false) {
    problems.push(read.problem)
  }
  return value
}

function readGoogle(
  text: (name: string) => string | null,
  base: URL | null,
  problems: string[],
): Config['google'] {
  const clientId = text('GOOGLE_CLIENT_ID')
  const clientSecret = text('GOOGLE_CLIENT_SECRET')
  const issuer = text('GOOGLE_ISSUER') ?? 'https://accounts.google.com'
  const url = URL.parse(issuer)
  if (
    url === null ||
    !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)))
  ) {
    problems.push('GOOGLE_ISSUER must be an https address. Leave it unset for Google.')
  }
  if (clientId === null && clientSecret === null) {
    // The development Google lets any visitor sign in as any user, so it must not be reachable from other machines.
    if (base !== null && !isLoopback(base)) {
      problems.push(
        'BASE_URL is public, so a real Google is needed: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.',
      )
    }
    return null
  }
  if (clientId === null) {
    problems.push('GOOGLE_CLIENT_SECRET is set without GOOGLE_CLIENT_ID: set both, or neither.')
  }
  if (clientSecret === null) {
    problems.push('GOOGLE_CLIENT_ID is set without GOOGLE_CLIENT_SECRET: set both, or neither.')
  }
  return { clientId: clientId ?? '', clientSecret: clientSecret ?? '', issuer }
}

/** Prevents that users of a real service get tokens and limits that are meant for tests. */
function rejectDevelopmentSettings(
  text: (name: string) => string | null,
  problems: string[],
): void {
  for (const name of ['DEV_ACCESS_TOKEN_SECONDS', 'DEV_UNLIMITED']) {
    if (text(name) === null) {
      continue
    }
    problems.push(
      `${name} is for tests with the development Google: unset it, or unset GOOGLE_CLIENT_ID.`,
    )
  }
}

function readUnlimited(value: string | null, problems: string[]): boolean {
  if (value !== null && value !== '1') {
    problems.push('DEV_UNLIMITED must be 1. Leave it unset to enforce the limits.')
  }
  return value === '1'
}

function readSwitch(name: string, value: string | null, problems: string[]): boolean {
  if (value !== null && value !== 'on' && value !== 'off') {
    problems.push(`${name} must be on or off. Leave it unset for on.`)
  }
  return value !== 'off'
}

function readProxies(value: string | null, problems: string[]): Cidr[] {
  return (value ?? '')
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .flatMap((part) => {
      const cidr = readCidr(part)
      if (cidr !== null) {
        return [cidr]
      }
      problems.push(
        `TRUSTED_PROXIES has an entry that is no address or CIDR. Example: TRUSTED_PROXIES=10.0.0.0/8,::1`,
      )
      return []
    })
}

function readKeys(value: string | null, problems: string[]): MasterKey[] | null {
  try {
    return value === null ? null : readServiceKeys(value)
  } catch (error) {
    if (!(error instanceof KeyProblem)) {
      throw error
    }
    problems.push(error.message)
    return null
  }
}

/** The operator's clients at other providers than Google, which projects can use without a client of their own. */
function readSharedClients(
  text: (name: string) => string | null,
  hasGoogle: boolean,
  problems: string[],
): readonly SharedCredentials[] {
  return SHARED_PROVIDERS.flatMap((kind) => readSharedClient(kind, text, hasGoogle, problems) ?? [])
}

/** Its settings begin with its name: GITHUB_CLIENT_ID. */
function readSharedClient(
  kind: SharedProviderName,
  text: (name: string) => string | null,
  hasGoogle: boolean,
  problems: string[],
): SharedCredentials | null {
  const settingOf = (field: string): string => `${kind}_${field}`.toUpperCase()
  const [id, secret] = [settingOf('client_id'), settingOf('client_secret')]
  const [clientId, clientSecret] = [text(id), text(secret)]

  const schema = PROVIDERS[kind].operator.settings
  const names = Object.keys(schema.shape)
  const settings = schema.safeParse(
    Object.fromEntries(names.map((name) => [name, text(settingOf(name)) ?? undefined])),
  )
  for (const { path, message } of settings.error?.issues ?? []) {
    problems.push(`${settingOf(path.join('_'))} ${message}`)
  }
  for (const name of names.map(settingOf)) {
    if (text(name) !== null && clientId === null) {
      problems.push(`${name} is set without ${id}: set both, or neither.`)
    }
  }

  if (clientId === null || clientSecret === null) {
    if (clientSecret !== null) {
      problems.push(`${secret} is set without ${id}: set both, or neither.`)
    }
    if (clientId !== null) {
      problems.push(`${id} is set without ${secret}: set both, or neither.`)
    }
    return null
  }

  // The stand-ins sign anyone in as anyone, so a service has all of them or none.
  if (!hasGoogle) {
    problems.push(
      `${id} needs a real Google: set GOOGLE_CLIENT_ID too, or unset ${id} and ${secret}.`,
    )
  }
  if (settings.data === undefined) {
    return null
  }
  return credentialsOf(kind, {
    client_id: clientId,
    client_secret: clientSecret,
    ...settings.data,
  })
}
