import { CREDENTIALS_FILENAME } from '@gatehouse/contract'
import type { Call } from '../../../dependencies.ts'
import { API_HEADERS, setHeaders } from '../../../headers.ts'

/** Names a key file for the page that shows it for a minute. */
export const keyFileOf = (tenantId: string): string => `key-file:${tenantId}`

/** The browser saves the file. No other site can read it, and no cache stores it. */
export function downloadKeyFile(c: Call, content: string): Response {
  setHeaders(c, API_HEADERS)
  c.header('Content-Disposition', `attachment; filename="${CREDENTIALS_FILENAME}"`)
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
  return c.text(content)
}
