import { readBlockedHost } from '../../domain/callbacks/url.ts'
import { blockHost as block, unblockHost as unblock } from '../../operations/moderation.ts'
import { type Command, type CommandInput, onDatabase, REASON, readReason, UsageError } from '../command.ts'

export const blockHost: Command = {
  name: 'hosts block',
  synopsis: '<host> --reason <text>',
  summary: 'block a callback host and all names below it, for every tenant',
  details: [
    'No new callback URL may have it, and logins to it stop: 403 callbackHostBlocked. Sessions that exist continue:',
    'find the tenants with "tenants find <host>", then suspend them or end their sessions.',
  ],
  options: { reason: { ...REASON, help: REASON.help.replace('the owner reads it', 'shown by "hosts list" only') } },
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, { stores, now, emit }) => {
    const host = readHost(input)
    const reason = readReason(input)
    if (!(await block({ stores, now: () => now }, host, reason))) {
      throw new Error(`${host} is blocked already. Nothing was changed.`)
    }
    emit({ host, blocked: true, reason }, `Blocked ${host} and all names below it, for every tenant.`)
  }),
}

export const unblockHost: Command = {
  name: 'hosts unblock',
  synopsis: '<host>',
  summary: 'allow a callback host again',
  positionals: { min: 1, max: 1 },
  run: onDatabase(async (input, { stores, emit }) => {
    const host = readHost(input)
    if (!(await unblock({ stores }, host))) throw new Error(`${host} is not blocked. Nothing was changed.`)
    emit({ host, blocked: false }, `${host} is allowed again.`)
  }),
}

function readHost({ positionals: [text = ''] }: CommandInput): string {
  const read = readBlockedHost(text)
  if (!read.ok) throw new UsageError(`${read.problem} Nothing was changed.`)
  return read.host
}
