/**
 * Who is in a generated database, as arithmetic on ids: the same in SQL on both engines, where the rows are made, and
 * here, where tokens for them are minted. So nothing has to be read back, and ten million rows are made by the database.
 */

/** The moment all of it happened before. Measuring begins here. */
export const NOW = Date.UTC(2026, 5, 15, 12)
export const DAY_MS = 24 * 3_600_000

/** A sweep and a deletion have the same work to do at every size. */
export const EXPIRED_SESSIONS = 12_000
const LEAVING_PEOPLE = 3_000

/** Below what the largest tier may store, so that people can still sign up. */
const LARGE_MAX = 240_000
const MEDIUM_PEOPLE = 40_000
const SMALL_PEOPLE = 500
const SMALL_TENANTS_MIN = 50

export const ISSUER = 'https://accounts.google.com'
export const CALLBACK = 'https://app.example.com/callback'

/** A prime, and multipliers that scatter neighbours: ids of one tenant lie all over the table, as in real life. */
const PRIME = 2_147_483_647
const FIRST = 48_271
const SECOND = 69_621
const SHARES = 10_000
const MEDIUM_SHARE = 2_500

/** Scatters an id. Every step stays below 2^53, so both engines and this one agree. */
const scatter = (id: number, seed: number): number =>
  (((id * FIRST + seed) % PRIME) * SECOND + 11) % PRIME

export const scatterSql = (id: string, seed: number): string =>
  `(((((${id}) * ${FIRST} + ${seed}) % ${PRIME}) * ${SECOND} + 11) % ${PRIME})`

const TENANT_SEED = 1
const EVENT_SEED = 3
const SUBJECT_SEED = 5
export const KIND_SEED = 7
export const AGE_SEED = 9

export class Population {
  readonly size: number
  readonly tenants: number
  readonly #everyLeaving: number
  readonly #largeShare: number
  readonly #medium: number
  readonly #small: number

  constructor(size: number) {
    this.size = size
    this.#everyLeaving = Math.max(2, Math.floor(size / LEAVING_PEOPLE))
    this.#largeShare = Math.floor(SHARES * Math.min(0.25, LARGE_MAX / size))
    this.#medium = Math.max(2, Math.ceil((size * MEDIUM_SHARE) / SHARES / MEDIUM_PEOPLE))
    this.#small = Math.max(SMALL_TENANTS_MIN, Math.ceil(size / 2 / SMALL_PEOPLE))
    this.tenants = 1 + this.#medium + this.#small + 1
  }

  /** The large tenant is the first; the last is on its way out. */
  readonly large = 1

  get leaving(): number {
    return this.tenants
  }

  /** Tenant, resource and owner have the same number. */
  tenantOf(userId: number): number {
    if (userId % this.#everyLeaving === 0) {
      return this.leaving
    }
    const mixed = scatter(userId, TENANT_SEED)
    const [share, rest] = [mixed % SHARES, Math.floor(mixed / SHARES)]
    if (share < this.#largeShare) {
      return this.large
    }
    if (share < this.#largeShare + MEDIUM_SHARE) {
      return 2 + (rest % this.#medium)
    }
    return 2 + this.#medium + (rest % this.#small)
  }

  tenantSql(userId: string): string {
    const mixed = scatterSql(userId, TENANT_SEED)
    return `(case when (${userId}) % ${this.#everyLeaving} = 0 then ${this.leaving}
      when ${mixed} % ${SHARES} < ${this.#largeShare} then ${this.large}
      when ${mixed} % ${SHARES} < ${this.#largeShare + MEDIUM_SHARE} then 2 + (${mixed} / ${SHARES}) % ${this.#medium}
      else ${2 + this.#medium} + (${mixed} / ${SHARES}) % ${this.#small} end)`
  }

  tierSql(tenant: string): string {
    return `(case when ${tenant} = ${this.large} then 'pro' when ${tenant} <= ${1 + this.#medium} then 'plus' else 'free' end)`
  }

  /** Whose event it is. */
  userOfEventSql(eventId: string): string {
    return `(1 + ${scatterSql(eventId, EVENT_SEED)} % ${this.size})`
  }
}

export const tenantId = (tenant: number): string => `growth-${tenant}`

/** Twelve bytes, like a real salt; it is predictable, which is fine for generated data. */
export const saltOf = (sessionId: number): Uint8Array => {
  const salt = Buffer.alloc(12)
  salt.writeUIntBE(sessionId, 6, 6)
  return new Uint8Array(salt)
}

export const subjectOf = (userId: number): string =>
  `1${digits(scatter(userId, SUBJECT_SEED))}${digits(userId)}`

export const subjectSql = (userId: string, pad: (number: string) => string): string =>
  `('1' || ${pad(scatterSql(userId, SUBJECT_SEED))} || ${pad(userId)})`

const digits = (number: number): string => String(number).padStart(10, '0')
