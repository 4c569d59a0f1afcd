import type { Client } from './client.ts'
import type { OAuthErrorCode } from './oauth-error.ts'
import { redirectUriProblem } from './redirect-uri.ts'

const REDIRECT_URIS_MAX = 10
const NAME_MAX_CHARACTERS = 80

export type MetadataRead =
  | { readonly ok: true; readonly registration: Omit<Client, 'id'> }
  | { readonly ok: false; readonly error: OAuthErrorCode; readonly problem: string }

/**
 * Reads the redirect URIs and the name from client metadata (RFC 7591). Other members are accepted and ignored, and no
 * URL in them is fetched.
 */
export function readClientMetadata(metadata: unknown): MetadataRead {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    return invalid('invalid_client_metadata', 'Send the client metadata as one JSON object.')
  }
  const { redirect_uris: uris, client_name: name } = metadata as Record<string, unknown>
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > REDIRECT_URIS_MAX) {
    return invalid('invalid_redirect_uri', `Send 1 to ${REDIRECT_URIS_MAX} redirect_uris.`)
  }
  for (const uri of uris) {
    const problem = typeof uri === 'string' ? redirectUriProblem(uri) : 'A redirect URI must be a string.'
    if (problem !== null) return invalid('invalid_redirect_uri', problem)
  }
  return { ok: true, registration: { name: readName(name), redirectUris: [...new Set<string>(uris)] } }
}

// Invisible characters are removed, so that names that look the same are equal.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu

const readName = (name: unknown): string =>
  typeof name !== 'string'
    ? ''
    : [...name.toWellFormed().replace(/\s+/g, ' ').replace(INVISIBLE, '').trim()].slice(0, NAME_MAX_CHARACTERS).join('')

const invalid = (error: OAuthErrorCode, problem: string): MetadataRead => ({ ok: false, error, problem })
