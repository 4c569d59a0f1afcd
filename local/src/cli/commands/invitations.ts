import { type Claims, INVITATION_USES_MAX } from '@gatehouse-auth/contract'
import { acceptsCodesOnly } from '../../api/login-link.ts'
import {
  createInvitation,
  findInvitations,
  type Invitation,
  removeInvitation,
} from '../../api/management.ts'
import { singleLine } from '../../problem.ts'
import { type Command, type Options, objectIn, parseInteger, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

const DAY_SECONDS = 24 * 3_600
const ACTIONS = ['create', 'list', 'delete'] as const

export const invitations: Command = {
  name: 'invitations',
  synopsis:
    '[create|list|delete <id>] [--email <address>] [--role <name> | --claims <json>] [--uses <n>] [--days <n>]',
  summary: 'list invitations; create or delete one',
  details: [
    'One line per invitation, the newest first. With --json: one API invitation object per line.',
    '',
    'create             create one and print its link, which is shown only once; no mail is sent',
    'delete <id>        its link stops working at once',
    '',
    '--email <address>  only this verified address can use it',
    '--role <name>      the claim "role" of each user that it creates',
    '--claims <json>    other claims of each user that it creates, such as {"role":"editor","team":"docs"}',
    '--uses <n>         how many people can use it, default 1',
    '--days <n>         days until it expires, default 7',
  ],
  options: {
    email: { type: 'string' },
    role: { type: 'string' },
    claims: { type: 'string' },
    uses: { type: 'string' },
    days: { type: 'string' },
  },
  positionals: { min: 0, max: 2 },
  async run(io, [action = 'list', id], options) {
    if (!ACTIONS.some((each) => each === action)) {
      throw usageProblem(`Unknown action. Use one of ${ACTIONS.join(', ')}.`, 'invitations')
    }
    if (action === 'delete' && id === undefined) {
      throw usageProblem('Name the id: invitations delete <id>.', 'invitations')
    }
    if (action === 'create') {
      return create(io, options)
    }
    return id === undefined ? list(io) : remove(io, id)
  },
}

async function create(
  io: CommandIo,
  { email, role, claims, uses, days }: Options,
): Promise<undefined> {
  if (role !== undefined && claims !== undefined) {
    throw usageProblem('Use --role or --claims, not both.', 'invitations')
  }
  const count = parseInteger(uses, 'uses', INVITATION_USES_MAX)
  const lifetime = parseInteger(days, 'days', 365)
  const project = await io.project()
  // Before the creation: its link is shown only once.
  const codesOnly = await acceptsCodesOnly(project)
  const invitation = await createInvitation(project, {
    ...(typeof email === 'string' ? { email } : {}),
    ...(typeof role === 'string' ? { claims: { role } } : {}),
    // The service checks names and values.
    ...(typeof claims === 'string'
      ? { claims: objectIn(claims, 'claims', 'invitations') as Claims }
      : {}),
    ...(count === undefined ? {} : { uses: count }),
    ...(lifetime === undefined ? {} : { expires_in: lifetime * DAY_SECONDS }),
  })
  io.printResult(invitation, () => [invitation.url ?? '', line(io, invitation)])
  if (codesOnly) {
    io.printNote(
      'This link is refused, because callback_mode is code: send /login?invitation=… of your app, with the same value.',
    )
  }
  io.printNote('Send the link to the person: it is shown only once, and no mail is sent.')
  return undefined
}

async function list(io: CommandIo): Promise<undefined> {
  const found = await findInvitations(await io.project())
  for (const invitation of found) {
    io.printResult(invitation, () => [line(io, invitation)])
  }
  if (found.length === 0) {
    io.printNote('No invitations.')
  }
  return undefined
}

async function remove(io: CommandIo, id: string): Promise<undefined> {
  const result = await removeInvitation(await io.project(), id)
  io.printResult(result, () => [`Deleted ${singleLine(id)}.`])
  return undefined
}

function line(
  { colors }: CommandIo,
  { id, email, used, uses, status, expires_at }: Invitation,
): string {
  const state =
    status === 'open' ? colors.green(`open until ${expires_at.slice(0, 10)}`) : colors.dim(status)
  return `${id}  ${singleLine(email ?? 'anyone with the link')}  ${used} of ${uses} used  ${state}`
}
