import { readFile, writeFile } from 'node:fs/promises'
import {
  IMPORT_MAX_BYTES,
  IMPORT_MAX_ROWS,
  type ImportedUser,
  type ImportResult,
} from '@gatehouse-auth/contract'
import { downloadUsers, uploadUsers } from '../../api/management.ts'
import { parseJson } from '../../json.ts'
import { nextStep, Problem, singleLine } from '../../problem.ts'
import { type Options, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'
import { EXIT_CODES } from '../exit-codes.ts'

/** `users export [<file>]`: all users with everything that is stored about them. Without a file, to standard output. */
export async function exportUsers(
  io: CommandIo,
  file: string | undefined,
  { format }: Options,
): Promise<undefined> {
  if (format !== undefined && format !== 'ndjson' && format !== 'csv') {
    throw usageProblem('--format is ndjson or csv.', 'users')
  }
  const text = await downloadUsers(await io.project(), format ?? 'ndjson')
  if (file === undefined) {
    process.stdout.write(text)
  } else {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch(
      (error: NodeJS.ErrnoException) => {
        const reason =
          error.code === 'EEXIST' ? 'there is a file with this name' : String(error.code)
        throw new Problem(
          'notWritable',
          `Nothing was written: ${reason}.`,
          nextStep('Name another file.'),
        )
      },
    )
    io.printNote(
      'The file has personal data: keep it out of version control and delete it when you are done.',
    )
  }
  return undefined
}

/** `users import <file>`: lines of an export, or the export of another service with `--from`. */
export async function importUsers(
  io: CommandIo,
  file: string,
  { from }: Options,
): Promise<number | undefined> {
  if (from !== undefined && !Object.hasOwn(SOURCES, String(from))) {
    throw usageProblem(`--from is one of ${Object.keys(SOURCES).join(', ')}.`, 'users')
  }
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageProblem(`The file cannot be read (${error.code}).`, 'users')
  })
  const { rows, skipped } = importRows(typeof from === 'string' ? from : undefined, text)
  const project = await io.project()
  const counts = { created: 0, existing: 0, failed: 0, skipped: skipped.length }
  for (const { at, reason } of skipped) {
    print(io, { line: at, result: 'skipped', problem: reason })
  }
  for (const batch of batches(rows)) {
    const sent = await uploadUsers(project, batch.map(({ line }) => `${line}\n`).join(''))
    for (const name of ['created', 'existing', 'failed'] as const) {
      counts[name] += sent[name]
    }
    for (const each of sent.results) {
      print(io, { ...each, line: batch[each.line - 1]?.at ?? each.line })
    }
  }
  io.printNote(
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  )
  return counts.failed + counts.skipped > 0 ? EXIT_CODES.failed : undefined
}

type Outcome = Omit<ImportResult, 'result'> & {
  readonly result: ImportResult['result'] | 'skipped'
}

/** Without --json only what needs a look. */
function print(io: CommandIo, outcome: Outcome): void {
  const { line, result, problem, warning } = outcome
  const text = problem ?? warning
  if (io.json || text !== undefined || result === 'user_limit') {
    io.printResult(outcome, () => [
      singleLine(`${line}: ${result}${text === undefined ? '' : `: ${text}`}`),
    ])
  }
}

interface Row {
  /** Its place in the file, from 1. */
  readonly at: number
  readonly line: string
}

function* batches(rows: readonly Row[]): Generator<Row[]> {
  let batch: Row[] = []
  let bytes = 0
  for (const row of rows) {
    const size = Buffer.byteLength(row.line) + 1
    if (batch.length === IMPORT_MAX_ROWS || (batch.length > 0 && bytes + size > IMPORT_MAX_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(row)
    bytes += size
  }
  if (batch.length > 0) {
    yield batch
  }
}

/** The exports of other services, as they document them (/docs/leaving of the service has the sources). */
export const SOURCES: Readonly<Record<string, Source>> = {
  clerk: {
    identities: (user) =>
      list(user.external_accounts).map(({ provider, provider_user_id }) => [
        String(provider).replace(/^oauth_/, ''),
        provider_user_id,
      ]),
    email: ({ email_addresses, primary_email_address_id }) => {
      const primary = list(email_addresses).find(({ id }) => id === primary_email_address_id)
      return {
        address: primary?.email_address,
        isVerified: object(primary?.verification).status === 'verified',
      }
    },
    name: ({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(' '),
    picture: ({ image_url }) => image_url,
    times: ({ created_at, last_sign_in_at }) => [created_at, last_sign_in_at],
    isBlocked: ({ banned }) => banned === true,
    id: ({ id }) => id,
  },
  auth0: {
    identities: ({ identities, user_id }) => {
      const listed = list(identities).map(
        ({ provider, user_id: subject }) => [provider, subject] as Identity,
      )
      return (
        listed.length > 0 ? listed : [String(user_id).split('|', 2) as unknown as Identity]
      ).map(([provider, subject]) => [String(provider).replace('google-oauth2', 'google'), subject])
    },
    email: ({ email, email_verified }) => ({ address: email, isVerified: email_verified === true }),
    name: ({ name }) => name,
    picture: ({ picture }) => picture,
    times: ({ created_at, last_login }) => [created_at, last_login],
    isBlocked: ({ blocked }) => blocked === true,
    id: ({ user_id }) => user_id,
  },
  supabase: {
    identities: ({ identities }) =>
      list(identities).map(({ provider, provider_id, identity_data }) => [
        String(provider),
        provider_id ?? object(identity_data).sub,
      ]),
    email: ({ email, email_confirmed_at }) => ({
      address: email,
      isVerified: Boolean(email_confirmed_at),
    }),
    name: ({ user_metadata }) => object(user_metadata).full_name ?? object(user_metadata).name,
    picture: ({ user_metadata }) => object(user_metadata).avatar_url,
    times: ({ created_at, last_sign_in_at }) => [created_at, last_sign_in_at],
    isBlocked: ({ banned_until }) => Boolean(banned_until) && !isOver(banned_until),
    id: ({ id }) => id,
  },
  firebase: {
    identities: ({ providerUserInfo }) =>
      list(providerUserInfo).map(({ providerId, rawId }) => [
        String(providerId).replace(/\.com$/, ''),
        rawId,
      ]),
    email: ({ email, emailVerified }) => ({ address: email, isVerified: emailVerified === true }),
    name: ({ displayName }) => displayName,
    picture: ({ photoUrl }) => photoUrl,
    times: ({ createdAt, lastSignedInAt }) => [Number(createdAt), Number(lastSignedInAt)],
    isBlocked: ({ disabled }) => disabled === true,
    id: ({ localId }) => localId,
  },
  'better-auth': {
    identities: ({ accounts }) =>
      list(accounts).map(({ providerId, accountId }) => [String(providerId), accountId]),
    email: ({ email, emailVerified }) => ({
      address: email,
      isVerified: emailVerified === true || emailVerified === 1,
    }),
    name: ({ name }) => name,
    picture: ({ image }) => image,
    times: ({ createdAt, updatedAt }) => [createdAt, updatedAt],
    isBlocked: ({ banned, banExpires }) => (banned === true || banned === 1) && !isOver(banExpires),
    id: ({ id }) => id,
  },
}

/** True for a time that has passed: text, milliseconds, or seconds. A ban without one is permanent. */
function isOver(until: unknown): boolean {
  const at = timeOf(until) ?? Number.POSITIVE_INFINITY
  return (typeof until === 'number' && at < 1e11 ? at * 1_000 : at) < Date.now()
}

type Fields = Readonly<Record<string, unknown>>
type Identity = [provider: string, subject: unknown]

interface Source {
  identities(user: Fields): Identity[]
  email(user: Fields): { readonly address: unknown; readonly isVerified: boolean }
  name(user: Fields): unknown
  picture(user: Fields): unknown
  times(user: Fields): readonly [created: unknown, seen: unknown]
  isBlocked(user: Fields): boolean
  id(user: Fields): unknown
}

/** Issuers of providers that give a person the same subject everywhere, or everywhere in a team. Google's is the default. */
const ISSUERS: Readonly<Record<string, string | undefined>> = {
  google: undefined,
  github: 'https://github.com',
  apple: 'https://appleid.apple.com',
}

interface Rows {
  readonly rows: readonly { readonly at: number; readonly line: string }[]
  readonly skipped: readonly { readonly at: number; readonly reason: string }[]
}

/** The lines of an import. Without a source: those of our own export. */
function importRows(from: string | undefined, text: string): Rows {
  const source = from === undefined ? undefined : SOURCES[from]
  if (from === undefined || source === undefined) {
    const lines = text.split('\n').map((line, index) => ({ at: index + 1, line: line.trim() }))
    return { rows: lines.filter(({ line }) => line !== ''), skipped: [] }
  }
  const read = usersIn(text).map((user, index) => ({ at: index + 1, ...rowOf(from, source, user) }))
  return {
    rows: read.flatMap(({ at, row }) =>
      row === undefined ? [] : [{ at, line: JSON.stringify(row) }],
    ),
    skipped: read.flatMap(({ at, reason }) => (reason === undefined ? [] : [{ at, reason }])),
  }
}

function rowOf(
  from: string,
  source: Source,
  user: Fields,
): { row?: ImportedUser; reason?: string } {
  // Auth0 writes the ids of GitHub as numbers.
  const identities = source
    .identities(user)
    .filter(([, subject]) => /^(string|number)$/.test(typeof subject))
  const usable = Object.keys(ISSUERS).flatMap((name) =>
    identities.filter(([provider]) => provider === name),
  )
  const [first] = usable
  if (first === undefined) {
    const found = identities.map(([provider]) => provider).join(', ') || 'a password only'
    return {
      reason: `no Google, GitHub or Apple identity (${found}): a new user at the first sign-in`,
    }
  }
  const { address, isVerified } = source.email(user)
  if (typeof address !== 'string' || !isVerified) {
    return { reason: 'no verified email address' }
  }
  const [created, seen] = source.times(user).map(timeOf)
  const issuer = ISSUERS[first[0]]
  return {
    row: {
      ...(issuer === undefined ? {} : { issuer }),
      subject: String(first[1]),
      email: address,
      name: textOf(source.name(user)),
      picture: textOf(source.picture(user)),
      ...(created === undefined ? {} : { first_seen: new Date(created).toISOString() }),
      ...(created === undefined
        ? {}
        : { last_seen: new Date(Math.max(created, seen ?? 0)).toISOString() }),
      blocked: source.isBlocked(user),
      // The rows of the app have it.
      metadata: { [`${from}_id`]: String(source.id(user)) },
    },
  }
}

/** A list, `{ "users": […] }`, a user per line, or the tables `user` and `account` of better-auth. */
function usersIn(text: string): Fields[] {
  const whole = parseJson(text)
  if (Array.isArray(whole)) {
    return list(whole)
  }
  const { users, user, account } = object(whole)
  if (Array.isArray(users)) {
    return list(users)
  }
  if (Array.isArray(user)) {
    const accounts = new Map<unknown, Fields[]>()
    for (const each of list(account)) {
      const others = accounts.get(each.userId)
      if (others === undefined) {
        accounts.set(each.userId, [each])
      } else {
        others.push(each)
      }
    }
    return list(user).map((each) => ({ ...each, accounts: accounts.get(each.id) ?? [] }))
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const read = lines.map(parseJson)
  if (lines.length > 0 && read.every((line) => typeof line === 'object' && line !== null)) {
    return list(read)
  }
  throw new Problem(
    'usage',
    'The file is not the JSON that this service exports.',
    nextStep('See /docs/leaving.'),
  )
}

const object = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(object) : [])
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

function timeOf(value: unknown): number | undefined {
  const at = typeof value === 'number' ? value : Date.parse(String(value))
  return Number.isFinite(at) && at > 0 ? at : undefined
}
