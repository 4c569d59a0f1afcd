import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { readPrivate, writePrivate } from '../credentials/private-files.ts'
import { commandLine, quoted } from '../invocation.ts'
import { parseJson } from '../json.ts'
import { nextStep, Problem } from '../problem.ts'

const Account = z.object({
  service: z.string(),
  /** Kept after a sign-out, so that the next sign-in registers no other client. */
  client_id: z.string(),
  tokens: z
    .object({ access_token: z.string(), refresh_token: z.string(), expires_at_ms: z.number() })
    .nullable(),
})

/** The account that is signed in to one service on this machine. */
export type Account = z.infer<typeof Account>

export type Tokens = NonNullable<Account['tokens']>

/** One file per service, in the user's configuration folder, outside all projects. */
export function accountPath(service: string, env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: roaming = '' } = env
  const defaultFolder =
    process.platform === 'win32' && roaming !== '' ? roaming : path.join(homedir(), '.config')
  // The XDG Base Directory Specification requires ignoring a relative path.
  return path.join(
    path.isAbsolute(xdg) ? xdg : defaultFolder,
    'gatehouse',
    `${encodeURIComponent(service)}.json`,
  )
}

/** null when there is no account file for this service, or it is damaged. */
export async function readAccount(service: string): Promise<Account | null> {
  const file = accountPath(service)
  const read = await readPrivate(file)
  if (read.kind === 'missing') {
    return null
  }
  if (read.kind !== 'text') {
    throw new Problem(
      'credentialsUnsafe',
      `${file} contains your sign-in and was not read: it is not a regular file that only you can read.`,
      nextStep(
        `Run: chmod 600 ${quoted(file)}. Or remove it and sign in again: ${commandLine('init --account')}`,
      ),
    )
  }
  const account = Account.safeParse(parseJson(read.text))
  // A damaged file counts as signed out: the next sign-in replaces it.
  return account.success && account.data.service === service ? account.data : null
}

export async function writeAccount(account: Account): Promise<void> {
  await makeAccountFolder(account.service)
  await writePrivate(accountPath(account.service), `${JSON.stringify(account, null, 2)}\n`)
}

export const makeAccountFolder = (service: string): Promise<unknown> =>
  mkdir(path.dirname(accountPath(service)), { recursive: true, mode: 0o700 })
