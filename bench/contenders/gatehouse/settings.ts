import path from 'node:path'
import { freePort } from '../../../service/test/support/transport/free-port.ts'

export type Settings = Readonly<Record<string, string>> & { readonly PORT: string; readonly DATA_DIR: string }

/** Production settings: a Google client and a trusted proxy. Logs, limits and revocation cannot be disabled. */
export async function productionSettings(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Settings> {
  return {
    PORT: String(await freePort()),
    DATA_DIR: path.join(folder, 'data'),
    BASE_URL: 'https://login.example.com',
    GOOGLE_CLIENT_ID: 'bench',
    GOOGLE_CLIENT_SECRET: 'bench-secret',
    TRUSTED_PROXIES: '127.0.0.1,::1',
    ...more,
  }
}
