import { listBlockedHosts } from '../../operations/moderation.ts'
import { type Command, onDatabase } from '../command.ts'
import { isoOf, minuteOf, terminalText } from '../terminal-text.ts'

export const listHosts: Command = {
  name: 'hosts list',
  synopsis: '',
  summary: 'list blocked callback hosts',
  positionals: { min: 0, max: 0 },
  run: onDatabase(async (_input, { stores, emit, note }) => {
    const blocked = await listBlockedHosts({ stores })
    for (const { host, reason, blockedAt } of blocked) {
      const text = `${host.padEnd(40)} blocked ${minuteOf(blockedAt)}  ${terminalText(reason)}`
      emit({ host, reason, blocked_at: isoOf(blockedAt) }, text)
    }
    if (blocked.length === 0) note('No host is blocked.')
  }),
}
