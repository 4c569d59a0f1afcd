import {
  type Claims,
  REMOVALS_PAGE_DEFAULT,
  REMOVALS_PAGE_MAX,
  USER_SEARCH_MIN_CHARACTERS,
  USERS_PAGE_MAX,
  type UserDetails,
} from '@gatehouse-auth/contract'
import {
  endSession,
  endSessions,
  findIdentities,
  findRemovals,
  findSessions,
  findUsers,
  loadMetadata,
  mergeUser,
  pinIdentity,
  type Removal,
  readUser,
  removeIdentity,
  removeUser,
  saveMetadata,
  setBlocked,
  setClaims,
  type UserSession,
} from '../../api/management.ts'
import type { Project } from '../../credentials/project.ts'
import { commandLine } from '../../invocation.ts'
import { singleLine } from '../../problem.ts'
import { type Command, type Options, objectIn, parseInteger, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'
import { exportUsers, importUsers, SOURCES } from './transfer.ts'

const LIMIT_DEFAULT = 20

interface Action {
  /** What follows the name of the action. */
  readonly takes: readonly ('id' | 'other id' | 'session id' | 'provider' | 'json' | 'file')[]
  /** The last one may be left out. */
  readonly isOptional?: true
  run(io: CommandIo, values: readonly string[], options: Options): Promise<number | undefined>
}

const ACTIONS: Readonly<Record<string, Action>> = {
  show: {
    takes: ['id'],
    run: (io, [id]) => withUser(io, id, readUser, (user) => [line(io, user)]),
  },
  block: {
    takes: ['id'],
    run: (io, [id]) =>
      withUser(
        io,
        id,
        (project, user) => setBlocked(project, user, true),
        (user) => [line(io, user)],
      ),
  },
  unblock: {
    takes: ['id'],
    run: (io, [id]) =>
      withUser(
        io,
        id,
        (project, user) => setBlocked(project, user, false),
        (user) => [line(io, user)],
      ),
  },
  sessions: {
    takes: ['id'],
    async run(io, [id]) {
      const found = await findSessions(await io.project(), idOf(id))
      for (const session of found) {
        io.printResult(session, () => [sessionLine(session)])
      }
      if (found.length === 0) {
        io.printNote('No sessions.')
      }
      return undefined
    },
  },
  'end-sessions': {
    takes: ['id'],
    run: (io, [id]) => withUser(io, id, endSessions, ({ ended }) => [`Ended ${ended} sessions.`]),
  },
  'end-session': {
    takes: ['session id'],
    run: (io, [id]) => withUser(io, id, endSession, () => ['Ended the session.']),
  },
  metadata: {
    takes: ['id', 'json'],
    isOptional: true,
    run: (io, [id, json]) =>
      withUser(
        io,
        id,
        (project, user) =>
          json === undefined
            ? loadMetadata(project, user)
            : saveMetadata(project, user, objectIn(json, 'metadata', 'users')),
        ({ metadata }) => [singleLine(JSON.stringify(metadata))],
      ),
  },
  'set-claims': {
    takes: ['id', 'json'],
    run: (io, [id, json = ''], options) =>
      withUser(
        io,
        id,
        // The service checks names and values.
        (project, user) =>
          setClaims(
            project,
            user,
            objectIn(json, 'claims', 'users') as Claims,
            options['end-sessions'] === true,
          ),
        ({ claims }) => [singleLine(`User ${id}: ${JSON.stringify(claims)}`)],
      ),
  },
  identities: {
    takes: ['id', 'provider'],
    isOptional: true,
    run: (io, [id, provider], options) =>
      withUser(
        io,
        id,
        (project, user) => changedIdentities(project, user, provider, options),
        ({ identities = [] }) => identities.map(identityLine),
      ),
  },
  merge: {
    takes: ['id', 'other id'],
    run: (io, [id, from], { confirm }) => mergeConfirmed(io, id, idOf(from), confirm),
  },
  delete: { takes: ['id'], run: (io, [id], { confirm }) => deleteConfirmed(io, idOf(id), confirm) },
  export: {
    takes: ['file'],
    isOptional: true,
    run: (io, [file], options) => exportUsers(io, file, options),
  },
  import: { takes: ['file'], run: (io, [file = ''], options) => importUsers(io, file, options) },
}

export const users: Command = {
  name: 'users',
  synopsis: '[<action>] [--search <text>] [--blocked] [--limit <n>]',
  summary: 'list and search users; block, change, sign out or delete one; export and import all',
  details: [
    'One line per user, by ascending id. With --json: one API user object per line.',
    '',
    `--search <text>    users whose email address or name starts with this, at least ${USER_SEARCH_MIN_CHARACTERS} characters`,
    '--blocked          blocked users only',
    `--limit <n>        number of users, default ${LIMIT_DEFAULT}`,
    '',
    'show <id>          show one user',
    'block <id>         end all sessions of a user and reject new sign-ins',
    'unblock <id>       let them sign in again',
    'sessions <id>      list their sessions',
    'end-sessions <id>  sign them out everywhere',
    'end-session <session id>',
    'metadata <id> [<json>]',
    '                   show your own fields of a user, or replace all of them',
    'set-claims <id> <json>',
    '                   replace the claims in ID tokens of a user, such as a role; {} removes them',
    '--end-sessions     with set-claims: end all sessions of the user, too',
    'identities <id>    list the accounts at providers with which the user signs in',
    'identities <id> <provider> --remove | --pin | --unpin',
    '                   remove one and end all sessions; show the user with its profile, or with the last one again',
    '--subject <text>   which one, if the user has several at the provider',
    'merge <id> <other id>',
    '                   give a user the identities of another, and delete the other; needs --confirm with its email address',
    'delete <id>        delete the user permanently; needs --confirm with their email address',
    '',
    'export [<file>]    write all users to a new file (mode 0600) or to standard output; --format csv for a table',
    'import <file>      import the lines of an export; prints what needs a look, and exits with 1 if a user failed',
    `--from <service>   with import: the export of ${Object.keys(SOURCES).join(', ')}; see /docs/leaving of the service`,
  ],
  options: {
    search: { type: 'string' },
    blocked: { type: 'boolean' },
    limit: { type: 'string' },
    confirm: { type: 'string' },
    'end-sessions': { type: 'boolean' },
    remove: { type: 'boolean' },
    pin: { type: 'boolean' },
    unpin: { type: 'boolean' },
    subject: { type: 'string' },
    format: { type: 'string' },
    from: { type: 'string' },
  },
  positionals: { min: 0, max: 3 },
  async run(io, [name, ...values], options) {
    if (name === undefined) {
      return list(io, options)
    }
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (action === undefined) {
      throw usageProblem(`Unknown action. Use one of ${Object.keys(ACTIONS).join(', ')}.`, 'users')
    }
    const { takes, isOptional = false } = action
    if (values.length > takes.length || values.length < takes.length - (isOptional ? 1 : 0)) {
      throw usageProblem(
        `Write users ${name}${takes.map((what) => ` <${what}>`).join('')}.`,
        'users',
      )
    }
    return action.run(io, values, options)
  },
}

async function withUser<T>(
  io: CommandIo,
  id: string | undefined,
  call: (project: Project, id: number) => Promise<T>,
  lines: (result: T) => readonly string[],
): Promise<undefined> {
  const userId = idOf(id)
  const result = await call(await io.project(), userId)
  io.printResult(result, () => lines(result))
  return undefined
}

const idOf = (text: string | undefined): number =>
  parseInteger(text ?? '', 'id', Number.MAX_SAFE_INTEGER) ?? 0

function changedIdentities(
  project: Project,
  id: number,
  provider: string | undefined,
  options: Options,
) {
  const { remove, pin, unpin } = options
  const changes = [remove, pin, unpin].filter((change) => change === true).length
  if (changes !== (provider === undefined ? 0 : 1)) {
    throw usageProblem(
      'Write users identities <id>, or a provider with one of --remove, --pin and --unpin.',
      'users',
    )
  }
  if (provider === undefined) {
    return findIdentities(project, id)
  }
  const subject = typeof options.subject === 'string' ? options.subject : undefined
  const identity = { id, provider, subject }
  return remove === true
    ? removeIdentity(project, identity)
    : pinIdentity(project, identity, pin === true)
}

const identityLine = ({ provider, issuer, subject, email, pinned }: Identity): string =>
  singleLine(`${provider ?? issuer}  ${email}  ${subject}${pinned ? '  pinned' : ''}`)

type Identity = NonNullable<UserDetails['identities']>[number]

async function mergeConfirmed(
  io: CommandIo,
  id: string | undefined,
  from: number,
  confirm: Options[string],
) {
  await requireConfirmed(io, from, confirm)
  return withUser(
    io,
    id,
    (project, into) => mergeUser(project, into, from),
    ({ identities = [] }) => [
      `Deleted user ${from}. User ${id} signs in with:`,
      ...identities.map(identityLine),
    ],
  )
}

/** Prevents deleting another user by a mistyped id. */
async function requireConfirmed(
  io: CommandIo,
  id: number,
  confirm: Options[string],
): Promise<void> {
  const user = await readUser(await io.project(), id)
  if (confirm === user.email) {
    return
  }
  throw usageProblem(
    `User ${id} is ${singleLine(user.email)}. To delete them: --confirm <this address>.`,
    'users',
  )
}

async function deleteConfirmed(
  io: CommandIo,
  id: number,
  confirm: Options[string],
): Promise<undefined> {
  const project = await io.project()
  await requireConfirmed(io, id, confirm)
  const result = await removeUser(project, id)
  io.printResult(result, () => [`Deleted user ${id}. Their sessions have ended.`])
  return undefined
}

const sessionLine = ({ id, created_at, last_refreshed_at, expires_at }: UserSession): string =>
  `#${id}  since ${created_at.slice(0, 10)}  used ${last_refreshed_at.slice(0, 10)}  ends ${expires_at.slice(0, 10)}`

async function list(io: CommandIo, { search, blocked, limit }: Options): Promise<undefined> {
  const text = typeof search === 'string' ? search : undefined
  if (text !== undefined && text.length < USER_SEARCH_MIN_CHARACTERS) {
    throw usageProblem(`--search needs at least ${USER_SEARCH_MIN_CHARACTERS} characters.`, 'users')
  }
  const count = parseInteger(limit, 'limit', USERS_PAGE_MAX) ?? LIMIT_DEFAULT
  const found = await findUsers(await io.project(), {
    text,
    blocked: blocked === true,
    limit: Math.max(count, 1),
  })
  for (const user of found) {
    io.printResult(user, () => [line(io, user)])
  }
  if (found.length === 0) {
    io.printNote('No users.')
  }
  return undefined
}

/** Email and name are untrusted input: control characters are removed before printing. */
function line({ colors }: CommandIo, { id, email, name, last_seen, blocked }: UserDetails): string {
  const seen = last_seen.slice(0, 10)
  const text = singleLine([email, ...(name === null ? [] : [name])].join('  '))
  return `#${id}  ${text}  ${colors.dim(`last seen ${seen}`)}${blocked ? `  ${colors.red('blocked')}` : ''}`
}

export const removals: Command = {
  name: 'removals',
  synopsis: '[--limit <n>]',
  summary: 'list the users who asked that their data is removed',
  details: [
    'One removalLine per user, by ascending id, with the day on which the service deletes them. Before, remove what your app',
    'stores about them, then: users delete <id> --confirm <email>. With --json: one API object per removalLine.',
    '',
    `--limit <n>        number of users, default ${REMOVALS_PAGE_DEFAULT}`,
  ],
  options: { limit: { type: 'string' } },
  positionals: { min: 0, max: 0 },
  async run(io, _positionals, { limit }) {
    const count = parseInteger(limit, 'limit', REMOVALS_PAGE_MAX) ?? REMOVALS_PAGE_DEFAULT
    const found = await findRemovals(await io.project(), Math.max(count, 1))
    for (const removal of found) {
      io.printResult(removal, () => [removalLine(io, removal)])
    }
    io.printNote(
      found.length === 0
        ? 'No removal requests.'
        : `Remove what your app stores about them, then: ${commandLine('users delete <id> --confirm <email>')}`,
    )
    return undefined
  },
}

function removalLine({ colors }: CommandIo, { user_id, email, due_at }: Removal): string {
  return `#${user_id}  ${singleLine(email)}  ${colors.yellow(`deleted on ${due_at.slice(0, 10)}`)}`
}
