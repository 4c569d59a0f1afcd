import type { Client } from './client.ts'

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
  const url = clientId.length <= 2_048 && clientId.startsWith('https://') ? URL.parse(clientId) : null
  if (url === null || url.href !== clientId) return false
  return url.pathname !== '/' && url.hash === '' && url.username === '' && url.password === '' && !/\s/.test(clientId)
}
