import { type Command, onDatabase, textOption, UsageError } from '../command.ts'
import { LISTING, readListing } from '../listing.ts'
import { isoOf, minuteOf, terminalText } from '../terminal-text.ts'

export const listFeedback: Command = {
  name: 'feedback list',
  synopsis: '[--tenant <id>] [--after <number>] [--limit <n>]',
  summary: 'list feedback, oldest first',
  options: { tenant: { type: 'string', help: 'only that of this tenant' }, ...LISTING },
  positionals: { min: 0, max: 0 },
  run: onDatabase(async (input, { stores, emit, note }) => {
    const { after, limit } = readListing(input, '0')
    if (!/^\d{1,15}$/.test(after)) throw new UsageError('--after takes the number of an entry.')
    // One more than requested, to know whether there is another page.
    const found = await stores.feedback.page(Number(after), limit + 1, textOption(input, 'tenant'))
    const entries = found.slice(0, limit)
    for (const { id, tenantId, kind, text, createdAt } of entries) {
      emit(
        { id, tenant_id: tenantId, kind, feedback: text, created_at: isoOf(createdAt) },
        `#${id}  ${minuteOf(createdAt)}  ${kind}  ${tenantId}\n${indented(text)}\n`,
      )
    }
    if (found.length > limit) note(`More: --after ${entries.at(-1)?.id}`)
  }),
}

const indented = (text: string): string =>
  terminalText(text)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
