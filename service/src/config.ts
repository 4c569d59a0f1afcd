import { RUNTIME_PROFILES, type RuntimeProfile } from '@gatehouse/contract'
import { type Cidr, readCidr } from './domain/ip-address.ts'
import { isLoopback } from './domain/login/loopback.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** No slash at the end. The only source of every address we print. */
  readonly baseUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly profile: RuntimeProfile
  /** null: the development Google plays its part. */
  readonly google: { readonly clientId: string; readonly clientSecret: string; readonly issuer: string } | null
  readonly trustedProxies: readonly Cidr[]
  readonly workers: number
  /** `kid:secret` pairs, newest first; null: the key file in dataDir. */
  readonly serviceKeys: string | null
}

export type ConfigRead =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

/** The environment → the settings, or everything that is wrong with it at once, each with its fix. */
export function readConfig(env: Environment): ConfigRead {
  const problems: string[] = []
  const text = (name: string): string | null => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const number = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name)
    if (value === null) return fallback
    if (/^\d{1,6}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
    problems.push(`${name} must be a whole number from ${min} to ${max}. Example: ${name}=${fallback}`)
    return fallback
  }

  const port = number('PORT', 8787, 1, 65_535)
  const baseUrl = readBaseUrl(text('BASE_URL') ?? `http://localhost:${port}`, problems)
  const databaseUrl = readDatabaseUrl(text('DATABASE_URL'), problems)
  const workers = number('WORKERS', 1, 1, 64)
  if (workers > 1 && databaseUrl === null) {
    problems.push('WORKERS above 1 needs PostgreSQL: set DATABASE_URL=postgres://…, or leave WORKERS unset.')
  }
  const google = readGoogle(text, baseUrl, problems)
  if (workers > 1 && google === null) {
    problems.push('WORKERS above 1 needs a real Google (GOOGLE_CLIENT_ID): the development one lives in one process.')
  }
  const config: Config = {
    port,
    host: text('HOST') ?? '127.0.0.1',
    baseUrl,
    dataDir: text('DATA_DIR') ?? './data',
    databaseUrl,
    profile: readProfile(text('RUNTIME_PROFILE'), databaseUrl !== null, problems),
    google,
    trustedProxies: readProxies(text('TRUSTED_PROXIES'), problems),
    workers,
    serviceKeys: text('SERVICE_KEYS'),
  }
  return problems.length === 0 ? { ok: true, config } : { ok: false, problems }
}

const isLoopbackUrl = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url))

function readBaseUrl(value: string, problems: string[]): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (
    url === null ||
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.origin !== value.replace(/\/$/, '')
  ) {
    problems.push('BASE_URL must be an http(s) origin without a path. Example: BASE_URL=https://login.example.com')
    return value
  }
  if (url.protocol === 'http:' && !isLoopbackUrl(value)) {
    problems.push('BASE_URL must be https unless it is on this machine. Example: BASE_URL=https://login.example.com')
  }
  return url.origin
}

function readDatabaseUrl(value: string | null, problems: string[]): string | null {
  if (value !== null && !(URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol))) {
    problems.push('DATABASE_URL must begin with postgres://. Leave it unset for the embedded SQLite.')
  }
  return value
}

function readProfile(value: string | null, postgres: boolean, problems: string[]): RuntimeProfile {
  const newest: RuntimeProfile = postgres ? 'v1-2' : 'v1-1'
  if (value === null) return newest
  const profile = RUNTIME_PROFILES.find((known) => known === value)
  if (profile === undefined) problems.push(`RUNTIME_PROFILE must be one of ${RUNTIME_PROFILES.join(', ')}, or unset.`)
  else if (profile === 'v1-2' && !postgres) problems.push('RUNTIME_PROFILE=v1-2 is PostgreSQL: set DATABASE_URL too.')
  return profile ?? newest
}

function readGoogle(text: (name: string) => string | null, baseUrl: string, problems: string[]): Config['google'] {
  const clientId = text('GOOGLE_CLIENT_ID')
  const clientSecret = text('GOOGLE_CLIENT_SECRET')
  const issuer = text('GOOGLE_ISSUER') ?? 'https://accounts.google.com'
  if (!URL.canParse(issuer) || !(issuer.startsWith('https:') || isLoopbackUrl(issuer))) {
    problems.push('GOOGLE_ISSUER must be an https address. Leave it unset for Google.')
  }
  if (clientId === null && clientSecret === null) {
    // The development Google signs anybody in as anybody: it must never answer to the outside.
    if (!isLoopbackUrl(baseUrl)) {
      problems.push('BASE_URL is public, so a real Google is needed: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.')
    }
    return null
  }
  if (clientId === null) problems.push('GOOGLE_CLIENT_SECRET is set without GOOGLE_CLIENT_ID: set both, or neither.')
  if (clientSecret === null)
    problems.push('GOOGLE_CLIENT_ID is set without GOOGLE_CLIENT_SECRET: set both, or neither.')
  return { clientId: clientId ?? '', clientSecret: clientSecret ?? '', issuer }
}

function readProxies(value: string | null, problems: string[]): Cidr[] {
  return (value ?? '')
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .flatMap((part) => {
      const cidr = readCidr(part)
      if (cidr !== null) return [cidr]
      problems.push(`TRUSTED_PROXIES has an entry that is no address or CIDR. Example: TRUSTED_PROXIES=10.0.0.0/8,::1`)
      return []
    })
}
