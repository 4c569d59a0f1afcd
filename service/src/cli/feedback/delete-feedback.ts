import { type Command, onDatabase, requireYes, textOption, UsageError, YES } from '../command.ts'
import { counted } from '../terminal-text.ts'

const USAGE = 'Usage: gatehouse feedback delete <number>… | --tenant <id>, with --yes. Nothing was deleted.'

export const deleteFeedback: Command = {
  name: 'feedback delete',
  synopsis: '<number>… | --tenant <id>, with --yes',
  summary: 'delete feedback by number, or all of a tenant',
  options: { tenant: { type: 'string', help: 'all of this tenant' }, yes: YES },
  positionals: { min: 0, max: 1_000 },
  run: onDatabase(async (input, { stores, emit }) => {
    const { positionals } = input
    const tenant = textOption(input, 'tenant')
    if ((tenant === undefined) === (positionals.length === 0)) throw new UsageError(USAGE)
    if (!positionals.every((id) => /^\d{1,15}$/.test(id))) throw new UsageError(USAGE)
    requireYes(input, 'This deletes feedback and cannot be undone.')
    const deleted =
      tenant === undefined
        ? await stores.feedback.remove(positionals.map(Number))
        : await stores.feedback.removeByTenant(tenant)
    emit({ deleted }, `Deleted ${counted(deleted, 'entry', 'entries')}.`)
  }),
}
