import type { Keyring } from '../tokens/keyring.ts'
import { constantTimeEqual } from '../tokens/secret.ts'
import type { OAuthErrorCode } from './oauth-error.ts'
import { redirectUriProblem } from './redirect-uri.ts'

/** An OAuth public client. It has no secret, so its name is not authenticated. */
export interface Client {
  readonly id: string
  /** From its metadata; empty if it has none. */
  readonly name: string
  readonly redirectUris: readonly string[]
}

const PREFIX = 'mcp_cl_'
/** Client ids are sent in URLs, and Node limits the headers of a request to 16 KiB. */
export const CLIENT_ID_MAX_CHARACTERS = 4_096

/** Key id, payload, MAC. The MAC has a fixed length, so nothing has to separate it from the payload. */
const SHAPE = /^mcp_cl_([1-9][0-9]{0,2})_([A-Za-z0-9_-]+)([A-Za-z0-9_-]{43})$/

/**
 * The id of a registered client contains its registration, with a MAC. Nothing is stored, so a registration cannot be
 * lost while its tokens exist, and a flood of registrations fills no table.
 */
export function signClientId(
  keyring: Keyring,
  registration: Omit<Client, 'id'>,
  issued: { readonly at: number; readonly random: (bytes: number) => Uint8Array },
): string {
  // Gives two clients with the same registration different ids.
  const nonce = Buffer.from(issued.random(9)).toString('base64url')
  const fields: ClientFields = [
    registration.name,
    registration.redirectUris,
    Math.floor(issued.at / 1_000),
    nonce,
  ]
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url')
  const { kid } = keyring.current
  return `${PREFIX}${kid}_${payload}${keyring.mac('oauth-client', payload, kid)}`
}

/** The client of an id with a valid MAC, under any master key in the ring; null for other text. */
export function readClientId(keyring: Keyring, id: string): Client | null {
  if (id.length > CLIENT_ID_MAX_CHARACTERS) {
    return null
  }
  const [, kidText = '', payload = '', mac = ''] = SHAPE.exec(id) ?? []
  const kid = Number(kidText)
  if (!keyring.has(kid) || !constantTimeEqual(keyring.mac('oauth-client', payload, kid), mac)) {
    return null
  }

  // The MAC proves that `signClientId` wrote it.
  const fields: ClientFields = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const [name, redirectUris] = fields
  return { id, name, redirectUris }
}

/** In a list, because the id is shorter without the names. */
type ClientFields = readonly [
  name: string,
  redirectUris: readonly string[],
  issuedAtSeconds: number,
  nonce: string,
]

const REDIRECT_URIS_MAX = 10

type MetadataRead =
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
    const problem =
      typeof uri === 'string' ? redirectUriProblem(uri) : 'A redirect URI must be a string.'
    if (problem !== null) {
      return invalid('invalid_redirect_uri', problem)
    }
  }
  return {
    ok: true,
    registration: { name: readName(name), redirectUris: [...new Set<string>(uris)] },
  }
}

const NAME_MAX_CHARACTERS = 80

// Invisible characters are removed, so that names that look the same are equal.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu

function readName(name: unknown): string {
  if (typeof name !== 'string') {
    return ''
  }
  const clean = name.toWellFormed().replace(/\s+/g, ' ').replace(INVISIBLE, '').trim()
  return [...clean].slice(0, NAME_MAX_CHARACTERS).join('')
}

const invalid = (error: OAuthErrorCode, problem: string): MetadataRead => ({
  ok: false,
  error,
  problem,
})

/** Clients whose id is the URL of their metadata (OAuth Client ID Metadata Documents). */
export interface ClientDocuments {
  /**
   * Uses a cached document, or fetches it; fetches are counted by client address. Throws `rateLimited` when that address has
   * used its share, and Unavailable when all have used theirs.
   */
  read(clientId: string, addressKey: string): Promise<ClientDocument>
}

export type ClientDocument =
  | { readonly ok: true; readonly client: Client }
  | { readonly ok: false; readonly problem: string }

/**
 * Whether a client id is the URL of a metadata document: https, with a host name and a path, in the form that the URL
 * parser prints, because client ids are compared byte for byte.
 */
export function isClientDocumentUrl(clientId: string): boolean {
  const url =
    clientId.length <= 2_048 && clientId.startsWith('https://') ? URL.parse(clientId) : null
  if (url === null || url.href !== clientId) {
    return false
  }
  return (
    url.pathname !== '/' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '' &&
    !/\s/.test(clientId)
  )
}
