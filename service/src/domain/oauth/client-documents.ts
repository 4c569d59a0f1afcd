import type { Client } from './client.ts'

/** Clients that name themselves by the https address of their own description (Client ID Metadata Documents). */
export interface ClientDocuments {
  /** Reads the description at this address, or remembers it. Throws Unavailable when its site is out of reach. */
  read(clientId: string): Promise<ClientDocument>
}

export type ClientDocument =
  | { readonly ok: true; readonly client: Client }
  | { readonly ok: false; readonly problem: string }

/**
 * Is this client id such an address? https, a name and a path, written the way the parser would write it: whoever
 * compares two of them compares bytes.
 */
export function isClientDocumentUrl(clientId: string): boolean {
  const url = clientId.length <= 2_048 && clientId.startsWith('https://') ? URL.parse(clientId) : null
  if (url === null || url.href !== clientId) return false
  return url.pathname !== '/' && url.hash === '' && url.username === '' && url.password === '' && !/\s/.test(clientId)
}
