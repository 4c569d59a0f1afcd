import type { Keyring } from '../tokens/keyring.ts'
import { constantTimeEqual } from '../tokens/secret.ts'
import type { Client } from './client.ts'

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
  const fields = [registration.name, registration.redirectUris, Math.floor(issued.at / 1_000), nonce]
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url')
  const { kid } = keyring.current
  return `${PREFIX}${kid}_${payload}${keyring.mac('oauth-client', payload, kid)}`
}

/** The client of an id with a valid MAC, under any master key in the ring; null for other text. */
export function readClientId(keyring: Keyring, id: string): Client | null {
  const [, kid = '', payload = '', mac = ''] = id.length <= CLIENT_ID_MAX_CHARACTERS ? (SHAPE.exec(id) ?? []) : []
  if (!keyring.has(Number(kid)) || !constantTimeEqual(keyring.mac('oauth-client', payload, Number(kid)), mac))
    return null
  const [name, redirectUris] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [string, string[]]
  return { id, name, redirectUris }
}
