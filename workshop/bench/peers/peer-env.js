import { writeFileSync } from 'node:fs'

// Peers are plain JavaScript, because their types exist only where the bench is installed.

/** How many sessions to create; 0 when only the start is measured. */
export const SESSIONS = Number(process.env.SESSIONS ?? 0)

export const PORT = Number(process.env.PORT)

export const BASE_URL = process.env.BASE_URL ?? `http://localhost:${PORT}`

/** A private JWK. Generating one takes longer than the start, and production reads it from storage too. */
export const SIGNING_KEY = JSON.parse(process.env.SIGNING_KEY ?? 'null')

/** The OpenID provider of the login benchmark, and this peer's client there. */
export const IDENTITY = {
  issuer: process.env.IDENTITY_ISSUER ?? '',
  clientId: process.env.IDENTITY_CLIENT_ID ?? '',
  clientSecret: process.env.IDENTITY_CLIENT_SECRET ?? '',
}

/**
 * Writes the data of each workload (`load/workloads/`) for the load generator. Must be called before the peer listens, so
 * that the file exists when the peer responds.
 */
export function writeWorkloads(workloads) {
  const { WORKLOAD_FILE } = process.env
  if (WORKLOAD_FILE !== undefined) {
    writeFileSync(WORKLOAD_FILE, JSON.stringify(workloads), { mode: 0o600 })
  }
}

export const profile = (number) => ({
  email: `user-${number}@example.com`,
  name: `User ${number}`,
  picture: `https://example.com/user-${number}.png`,
})

export const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))
