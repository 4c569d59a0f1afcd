import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'oidc-provider'

let made: Promise<JWK> | undefined

/** RS256 like Google's, made once per process: it takes a tenth of a second, and tests start many providers. */
export function signingKey(): Promise<JWK> {
  made ??= promisify(generateKeyPair)('rsa', { modulusLength: 2048 }).then(
    ({ privateKey }) =>
      ({ ...privateKey.export({ format: 'jwk' }), kid: 'development', use: 'sig', alg: 'RS256' }) as JWK,
  )
  return made
}
