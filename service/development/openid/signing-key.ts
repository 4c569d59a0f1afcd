import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'oidc-provider'

let key: Promise<JWK> | undefined

/** RS256, as Google's. Generated once per process: it takes 0.1 s, and tests start many providers. */
export function signingKey(): Promise<JWK> {
  key ??= generateKey()
  return key
}

async function generateKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  return { ...jwk, kid: 'development', use: 'sig', alg: 'RS256' } as JWK
}
