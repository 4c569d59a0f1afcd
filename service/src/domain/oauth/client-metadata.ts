import type { Client } from './client.ts'
import type { OAuthErrorCode } from './oauth-error.ts'
import { redirectUriProblem } from './redirect-uri.ts'

const REDIRECT_URIS_MAX = 10
const NAME_MAX_CHARACTERS = 80

export type MetadataRead =
  | { readonly ok: true; readonly registration: Omit<Client, 'id'> }
  | { readonly ok: false; readonly error: OAuthErrorCode; readonly problem: string }

/**
 * What a client says of itself (RFC 7591), as far as it concerns us: where to answer it, and what to call it. Clients
 * send much more, and different things; we refuse none of it and keep none of it, and fetch no address in it.
 */
export function readClientMetadata(metadata: unknown): MetadataRead {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    return refused('invalid_client_metadata', 'Send the client metadata as one JSON object.')
  }
  const { redirect_uris: uris, client_name: name } = metadata as Record<string, unknown>
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > REDIRECT_URIS_MAX) {
    return refused('invalid_redirect_uri', `Send 1 to ${REDIRECT_URIS_MAX} redirect_uris.`)
  }
  for (const uri of uris) {
    const problem = typeof uri === 'string' ? redirectUriProblem(uri) : 'A redirect URI must be a string.'
    if (problem !== null) return refused('invalid_redirect_uri', problem)
  }
  return { ok: true, registration: { name: readName(name), redirectUris: [...new Set<string>(uris)] } }
}

// Whatever shows nothing is left out, so that two names that look the same are the same.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu

const readName = (name: unknown): string =>
  typeof name !== 'string'
    ? ''
    : [...name.toWellFormed().replace(/\s+/g, ' ').replace(INVISIBLE, '').trim()].slice(0, NAME_MAX_CHARACTERS).join('')

const refused = (error: OAuthErrorCode, problem: string): MetadataRead => ({ ok: false, error, problem })
