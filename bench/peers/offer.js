import { writeFileSync } from 'node:fs'

// Peers are plain JavaScript: their types are only there where the bench is installed.

/** How many sessions to begin with; 0 when only the start is measured. */
export const SESSIONS = Number(process.env.SESSIONS ?? 0)

export const PORT = Number(process.env.PORT)

export const BASE_URL = process.env.BASE_URL ?? `http://localhost:${PORT}`

/** A private JWK. In production it would be read from somewhere, too: making one takes longer than the whole start. */
export const SIGNING_KEY = JSON.parse(process.env.SIGNING_KEY ?? 'null')

/** The OpenID provider that logins go through, and who we are there. */
export const IDENTITY = {
  issuer: process.env.IDENTITY_ISSUER ?? '',
  clientId: process.env.IDENTITY_CLIENT_ID ?? '',
  clientSecret: process.env.IDENTITY_CLIENT_SECRET ?? '',
}

/**
 * Tells the load generator what it can ask: for each work its data, as `load/work/` wants it. Written before anybody
 * is answered, so that whoever gets an answer finds it.
 */
export function offer(works) {
  const { WORK_FILE } = process.env
  if (WORK_FILE !== undefined) writeFileSync(WORK_FILE, JSON.stringify(works), { mode: 0o600 })
}

export const person = (number) => ({
  email: `user-${number}@example.com`,
  name: `Somebody user-${number}`,
  picture: `https://example.com/user-${number}.png`,
})

export const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))
