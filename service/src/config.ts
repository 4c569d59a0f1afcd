import { ACCESS_TOKEN_SECONDS, TEST_ACCESS_TOKEN_MIN_SECONDS } from '@gatehouse-auth/contract'
import { isLoopback } from './domain/callbacks/host.ts'
import { type Cidr, readCidr, readIpAddress } from './domain/network/ip-address.ts'
import {
  credentialsOf,
  PROVIDERS,
  type ProviderDefinition,
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

/** The value of a setting without spaces around it; null: unset or empty. */
type ReadText = (name: string) => string | null

/** Reads the settings from the environment. Reports all problems at once, each with its fix. */
export function readConfig(env: Environment): ConfigRead {
  const problems: string[] = []
  const text: ReadText = (name) => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const number = (name: string, range: NumberRange): number =>
    readNumber(name, text(name), range, problems)

  const port = number('PORT', { fallback: 8787, min: 1, max: 65_535 })
  const base = readBaseUrl(text('BASE_URL') ?? `http://localhost:${port}`, problems)
  const database = readDatabase(text, problems)
  const workers = number('WORKERS', { fallback: 1, min: 1, max: 64 })
  const google = readGoogle(text, base, problems)
  if (workers > 1) {
    problems.push(...workersProblems(database.databaseUrl, google))
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
    ...database,
    google,
    sharedClients: readSharedClients(text, google !== null, problems),
    exposedDevelopmentSignIn:
      google === null && readExposed(host, text('ALLOW_DEVELOPMENT_SIGN_IN'), problems),
    accessTokenSeconds: number('DEV_ACCESS_TOKEN_SECONDS', {
      fallback: ACCESS_TOKEN_SECONDS,
      min: TEST_ACCESS_TOKEN_MIN_SECONDS,
      max: ACCESS_TOKEN_SECONDS,
    }),
    unlimited: readUnlimited(text('DEV_UNLIMITED'), problems),
    trustedProxies: readProxies(text('TRUSTED_PROXIES'), problems),
    workers,
    stopAfterMs: number('STOP_AFTER_MS', { fallback: 0, min: 0, max: 600_000 }),
    startWaitSeconds: number('START_WAIT_SECONDS', { fallback: 0, min: 0, max: 3_600 }),
    keepAliveSeconds: number('KEEP_ALIVE_SECONDS', { fallback: 75, min: 5, max: 3_600 }),
    eventRetentionDays: readEventRetention(text('EVENT_RETENTION_DAYS'), problems),
    verifyStalePolicy: readStalePolicy(text('VERIFY_STALE_POLICY'), problems),
    verifyStaleSeconds: number('VERIFY_STALE_SECONDS', { fallback: 30, min: 10, max: 3_600 }),
    agentRefreshGraceSeconds: number('AGENT_REFRESH_GRACE_SECONDS', {
      fallback: 600,
      min: 0,
      max: 3_600,
    }),
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

interface NumberRange {
  readonly fallback: number
  readonly min: number
  readonly max: number
}

function readNumber(
  name: string,
  value: string | null,
  { fallback, min, max }: NumberRange,
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

/** At least 30 days, because webhooks send events for that long. */
const EVENT_RETENTION: NumberRange = { fallback: 365, min: 30, max: 36_500 }

const readEventRetention = (value: string | null, problems: string[]): number | null =>
  value === null ? null : readNumber('EVENT_RETENTION_DAYS', value, EVENT_RETENTION, problems)

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

type DatabaseSettings = Pick<Config, 'databaseUrl' | 'databaseUrlDirect' | 'patroniUrls'>

function readDatabase(text: ReadText, problems: string[]): DatabaseSettings {
  const databaseUrl = readDatabaseUrl('DATABASE_URL', text, problems)
  const databaseUrlDirect = readDatabaseUrl('DATABASE_URL_DIRECT', text, problems)
  if (databaseUrl === null && databaseUrlDirect !== null) {
    problems.push(
      'DATABASE_URL_DIRECT is set without DATABASE_URL: set DATABASE_URL to the pooler, or only DATABASE_URL.',
    )
  }
  const serverUrl = databaseUrlDirect ?? databaseUrl
  const patroniUrls = readPatroniUrls(text('PATRONI_URLS'), serverUrl, problems)
  return { databaseUrl, databaseUrlDirect, patroniUrls }
}

function readDatabaseUrl(setting: string, text: ReadText, problems: string[]): string | null {
  const value = text(setting)
  if (value === null) {
    return null
  }
  const read = readDatabaseUrls(setting, value)
  if (!read.ok) {
    problems.push(read.problem)
  }
  return value
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
  const isLoopbackHost = host === 'localhost' || host === '::1' || /^127\./.test(host)
  if (isLoopbackHost || !isHost(host)) {
    return false
  }
  if (allowed !== '1') {
    problems.push(
      'HOST is not loopback, so a real Google is needed: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET. Only to try it, set HOST=127.0.0.1, or in a container ALLOW_DEVELOPMENT_SIGN_IN=1 and publish the port on 127.0.0.1: everyone who reaches it can sign in as anyone.',
    )
  }
  return true
}

/** null: not an http or https URL, or one with more than an origin. */
function readHttpOrigin(value: string): URL | null {
  const url = URL.parse(value)
  if (url === null || url.href !== `${url.origin}/`) {
    return null
  }
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
}

function readPatroniUrls(
  value: string | null,
  databaseUrl: string | null,
  problems: string[],
): string[] {
  if (value === null) {
    return []
  }
  const urls = value.split(',').map((url) => url.trim())
  if (urls.some((url) => readHttpOrigin(url) === null)) {
    problems.push(
      'PATRONI_URLS must be http(s) origins without a path, separated by commas. Example: PATRONI_URLS=http://10.0.0.1:8008,http://10.0.0.2:8008',
    )
    return urls
  }
  if (!databaseUrl?.includes(',')) {
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

function readGoogle(text: ReadText, base: URL | null, problems: string[]): Config['google'] {
  const clientId = text('GOOGLE_CLIENT_ID')
  const clientSecret = text('GOOGLE_CLIENT_SECRET')
  const issuer = text('GOOGLE_ISSUER') ?? 'https://accounts.google.com'
  if (!isHttpsOrLocal(issuer)) {
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

function isHttpsOrLocal(value: string): boolean {
  const url = URL.parse(value)
  if (url === null) {
    return false
  }
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}

/** Prevents that users of a real service get tokens and limits that are meant for tests. */
function rejectDevelopmentSettings(text: ReadText, problems: string[]): void {
  for (const name of ['DEV_ACCESS_TOKEN_SECONDS', 'DEV_UNLIMITED']) {
    if (text(name) !== null) {
      problems.push(
        `${name} is for tests with the development Google: unset it, or unset GOOGLE_CLIENT_ID.`,
      )
    }
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
  const parts = (value ?? '').split(/[\s,]+/).filter((part) => part !== '')
  const proxies: Cidr[] = []
  for (const part of parts) {
    const cidr = readCidr(part)
    if (cidr === null) {
      problems.push(
        'TRUSTED_PROXIES has an entry that is no address or CIDR. Example: TRUSTED_PROXIES=10.0.0.0/8,::1',
      )
    } else {
      proxies.push(cidr)
    }
  }
  return proxies
}

function readKeys(value: string | null, problems: string[]): MasterKey[] | null {
  if (value === null) {
    return null
  }
  try {
    return readServiceKeys(value)
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
  text: ReadText,
  hasGoogle: boolean,
  problems: string[],
): readonly SharedCredentials[] {
  return SHARED_PROVIDERS.flatMap((kind) => readSharedClient(kind, text, hasGoogle, problems) ?? [])
}

/** The settings of a client begin with the name of its provider: GITHUB_CLIENT_ID. */
const settingOf = (kind: SharedProviderName, field: string): string =>
  `${kind}_${field}`.toUpperCase()

function readSharedClient(
  kind: SharedProviderName,
  text: ReadText,
  hasGoogle: boolean,
  problems: string[],
): SharedCredentials | null {
  const id = settingOf(kind, 'client_id')
  const secret = settingOf(kind, 'client_secret')
  const clientId = text(id)
  const clientSecret = text(secret)

  const settings = readProviderSettings(kind, text, problems)
  if (clientSecret !== null && clientId === null) {
    problems.push(`${secret} is set without ${id}: set both, or neither.`)
  }
  if (clientId !== null && clientSecret === null) {
    problems.push(`${id} is set without ${secret}: set both, or neither.`)
  }
  if (clientId === null || clientSecret === null) {
    return null
  }

  // The stand-ins sign anyone in as anyone, so a service has all of them or none.
  if (!hasGoogle) {
    problems.push(
      `${id} needs a real Google: set GOOGLE_CLIENT_ID too, or unset ${id} and ${secret}.`,
    )
  }
  if (settings === null) {
    return null
  }
  return credentialsOf(kind, {
    client_id: clientId,
    client_secret: clientSecret,
    ...settings,
  })
}

/** What the definition of the provider asks for besides, such as MICROSOFT_DIRECTORY. null: a value is not valid. */
function readProviderSettings(
  kind: SharedProviderName,
  text: ReadText,
  problems: string[],
): Readonly<Record<string, string>> | null {
  const { settings }: NonNullable<ProviderDefinition['operator']> = PROVIDERS[kind].operator
  const values: Record<string, string> = {}
  let isValid = true
  for (const [field, { pattern, problem, default: usual }] of Object.entries(settings)) {
    const setting = settingOf(kind, field)
    const value = text(setting) ?? usual
    if (!pattern.test(value)) {
      problems.push(`${setting} ${problem}`)
      isValid = false
    }
    values[field] = value
  }

  const id = settingOf(kind, 'client_id')
  for (const field of Object.keys(values)) {
    const setting = settingOf(kind, field)
    if (text(setting) !== null && text(id) === null) {
      problems.push(`${setting} is set without ${id}: set both, or neither.`)
    }
  }
  return isValid ? values : null
}
