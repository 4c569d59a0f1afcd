import { type CommandInput, type OptionDefinition, textOption, UsageError } from './command.ts'

/** The options of every list. */
export const LISTING: Readonly<Record<string, OptionDefinition>> = {
  after: { type: 'string', help: 'continue after this id, which the end of a list names' },
  limit: { type: 'string', help: 'how many, 100 by default' },
}

const LIMIT_MAX = 10_000

export function readListing(input: CommandInput, first: string): { readonly after: string; readonly limit: number } {
  const limit = Number(textOption(input, 'limit') ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new UsageError(`--limit takes a whole number from 1 to ${LIMIT_MAX}.`)
  }
  return { after: textOption(input, 'after') ?? first, limit }
}
