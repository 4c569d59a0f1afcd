/** Half a year, the longest lifetime that Apple allows. */
const LIFETIME_MAX_SECONDS = 15_777_000
/** ES256: two numbers of 32 bytes. */
const SIGNATURE_BYTES = 64

/**
 * Whether a client secret is a JWT as Apple asks for. The signature cannot be verified, because the stand-in does not have
 * the keys of teams. The key id or team id `WRONG…` is refused, so that an owner can see what a wrong one does.
 */
export function isAppleClientSecret(secret: string, clientId: string, now: number): boolean {
  const [header, payload, signature = '', ...more] = secret.split('.')
  const { alg, kid } = decoded(header)
  const { iss, sub, aud, iat, exp } = decoded(payload)
  const seconds = now / 1_000
  return (
    more.length === 0 &&
    Buffer.from(signature, 'base64url').length === SIGNATURE_BYTES &&
    alg === 'ES256' &&
    isId(kid) &&
    isId(iss) &&
    sub === clientId &&
    aud === 'https://appleid.apple.com' &&
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    exp > seconds &&
    exp <= seconds + LIFETIME_MAX_SECONDS
  )
}

/** Keys and teams have ids of ten characters. */
const isId = (id: unknown): boolean => typeof id === 'string' && /^[A-Z0-9]{10}$/.test(id) && !id.startsWith('WRONG')

function decoded(part: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
