import {
  type Claims,
  REMOVALS_PAGE_DEFAULT,
  REMOVALS_PAGE_MAX,
  USER_SEARCH_MIN_CHARACTERS,
  USERS_PAGE_MAX,
  type UserDetails,
} from '@gatehouse/contract'
import {
  findRemovals,
  findUsers,
  type Removal,
  readUser,
  removeUser,
  setBlocked,
  setClaims,
} from '../../api/management.ts'
import { commandLine } from '../../invocation.ts'
import { parseJson } from '../../json.ts'
import { singleLine } from '../../problem.ts'
import { type Command, type Options, parseInteger, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

const LIMIT_DEFAULT = 20
const ACTIONS = ['block', 'unblock', 'set-claims', 'delete'] as const

type Action = (typeof ACTIONS)[number]

export const users: Command = {
  name: 'users',
  synopsis:
    '[block|unblock|delete <id> | set-claims <id> <json> [--end-sessions]] [--search <text>] [--blocked] [--limit <n>] [--confirm <email>]',
  summary: 'list and search users; block, unblock or delete one, or set their claims',
  details: [
    'One line per user, by ascending id. With --json: one API user object per line.',
    '',
    `--search <text>    users whose email address or name starts with this, at least ${USER_SEARCH_MIN_CHARACTERS} characters`,
    '--blocked          blocked users only',
    `--limit <n>        number of users, default ${LIMIT_DEFAULT}`,
    '',
    'block <id>         end all sessions of a user and reject new sign-ins',
    'unblock <id>       let them sign in again',
    'set-claims <id> <json>',
    '                   replace what ID tokens say about a user, such as a role; {} removes it',
    '--end-sessions     with set-claims: end all sessions of the user, too',
    'delete <id>        delete the user permanently; needs --confirm with their email address',
  ],
  options: {
    search: { type: 'string' },
    blocked: { type: 'boolean' },
    limit: { type: 'string' },
    confirm: { type: 'string' },
    'end-sessions': { type: 'boolean' },
  },
  positionals: { min: 0, max: 3 },
  async run(io, [action, id, json], options) {
    if (action === undefined) return list(io, options)
    if (!isAction(action)) throw usageProblem(`Unknown action. Use one of ${ACTIONS.join(', ')}.`, 'users')
    const userId = id === undefined ? undefined : parseInteger(id, 'id', Number.MAX_SAFE_INTEGER)
    if (userId === undefined) throw usageProblem(`Name the id of the user: users ${action} <id>.`, 'users')
    if ((json !== undefined) !== (action === 'set-claims')) {
      throw usageProblem('Write users set-claims <id> <json>, such as \'{"role":"admin"}\'.', 'users')
    }
    const project = await io.project()
    if (action === 'set-claims') {
      const result = await setClaims(project, userId, readClaims(json), options['end-sessions'] === true)
      io.printResult(result, () => [singleLine(`User ${userId}: ${JSON.stringify(result.claims)}`)])
      return undefined
    }
    if (action === 'delete') {
      // Prevents deleting another user by a mistyped id.
      const user = await readUser(project, userId)
      if (options.confirm !== user.email) {
        throw usageProblem(
          `User ${userId} is ${singleLine(user.email)}. To delete them: --confirm <this address>.`,
          'users',
        )
      }
      const result = await removeUser(project, userId)
      io.printResult(result, () => [`Deleted user ${userId}. Their sessions have ended.`])
      return undefined
    }
    const user = await setBlocked(project, userId, action === 'block')
    io.printResult(user, () => [line(io, user)])
    return undefined
  },
}

const isAction = (text: string): text is Action => ACTIONS.some((action) => action === text)

/** The service checks names and values. */
function readClaims(json = ''): Claims {
  const claims = parseJson(json)
  if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return claims as Claims
  throw usageProblem('The claims are a JSON object, such as \'{"role":"admin"}\'.', 'users')
}

async function list(io: CommandIo, { search, blocked, limit }: Options): Promise<undefined> {
  const text = typeof search === 'string' ? search : undefined
  if (text !== undefined && text.length < USER_SEARCH_MIN_CHARACTERS) {
    throw usageProblem(`--search needs at least ${USER_SEARCH_MIN_CHARACTERS} characters.`, 'users')
  }
  const count = parseInteger(limit, 'limit', USERS_PAGE_MAX) ?? LIMIT_DEFAULT
  const found = await findUsers(await io.project(), { text, blocked: blocked === true, limit: Math.max(count, 1) })
  for (const user of found) io.printResult(user, () => [line(io, user)])
  if (found.length === 0) io.printNote('No users.')
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
    for (const removal of found) io.printResult(removal, () => [removalLine(io, removal)])
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
