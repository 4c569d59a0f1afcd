import { createPrivateKey, sign } from 'node:crypto'

/** What a team gets from Apple instead of a client secret. */
export interface AppleKey {
  readonly clientId: string
  readonly teamId: string
  readonly keyId: string
  /** The content of the `.p8` file. */
  readonly privateKey: string
}

/** Apple allows half a year; a secret that is made for one request needs minutes. */
const LIFETIME_SECONDS = 300

/** The client secret that Apple expects: a JWT, signed with the key of the team (ES256). */
export function appleClientSecret({ clientId, teamId, keyId, privateKey }: AppleKey, now: number): string {
  const issuedAt = Math.floor(now / 1_000)
  const header = encoded({ alg: 'ES256', kid: keyId })
  const payload = encoded({
    iss: teamId,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
    aud: 'https://appleid.apple.com',
    sub: clientId,
  })
  const key = createPrivateKey(privateKey)
  const signature = sign('sha256', Buffer.from(`${header}.${payload}`), { key, dsaEncoding: 'ieee-p1363' })
  return `${header}.${payload}.${signature.toString('base64url')}`
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
