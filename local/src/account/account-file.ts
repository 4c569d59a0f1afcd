import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { readPrivate } from '../credentials/open-private.ts'
import { writePrivate } from '../credentials/write-private.ts'
import { jsonIn } from '../json.ts'
import { either, Problem } from '../problem.ts'

const Account = z.object({
  service: z.string(),
  /** Kept when the sign-in ends: creations are remembered by the client that asked for them. */
  client_id: z.string(),
  tokens: z.object({ access_token: z.string(), refresh_token: z.string(), expires_at_ms: z.number() }).nullable(),
})

/** This machine's sign-in at one service. */
export type Account = z.infer<typeof Account>

export type Tokens = NonNullable<Account['tokens']>

/** One file for each service, in the user's own settings folder and in no project. */
export function accountPath(service: string, env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: roaming = '' } = env
  const usual = process.platform === 'win32' && roaming !== '' ? roaming : path.join(homedir(), '.config')
  // A relative one is to be ignored (XDG Base Directory Specification).
  return path.join(path.isAbsolute(xdg) ? xdg : usual, 'gatehouse', `${encodeURIComponent(service)}.json`)
}

/** null: nobody ever signed in here. */
export async function readAccount(service: string): Promise<Account | null> {
  const file = accountPath(service)
  const read = await readPrivate(file)
  if (read.kind === 'missing') return null
  if (read.kind !== 'text') {
    throw new Problem(
      'credentialsUnsafe',
      `${file} holds your sign-in and was not read: it is not a regular file that only you can read.`,
      either(`Run: chmod 600 ${file}. Or remove it, and sign in again: gatehouse-local init --account`),
    )
  }
  const account = Account.safeParse(jsonIn(read.text))
  // A damaged file is worth nothing: signing in again writes a new one.
  return account.success && account.data.service === service ? account.data : null
}

export async function writeAccount(account: Account): Promise<void> {
  await makeAccountFolder(account.service)
  await writePrivate(accountPath(account.service), `${JSON.stringify(account, null, 2)}\n`)
}

export const makeAccountFolder = (service: string): Promise<unknown> =>
  mkdir(path.dirname(accountPath(service)), { recursive: true, mode: 0o700 })
