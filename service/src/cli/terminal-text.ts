import { type CommandInput, type OptionDefinition, textOption, UsageError } from './command.ts'

/** Text of strangers without control characters: it must not control the operator's terminal. */
export const terminalText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
  text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')

export const minuteOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`

export const isoOf = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString()

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** The options of every list. */
export const LISTING: Readonly<Record<'after' | 'limit', OptionDefinition>> = {
  after: { type: 'string', help: 'continue after this id, which the end of a list names' },
  limit: { type: 'string', help: 'how many, 100 by default' },
}

const LIMIT_MAX = 10_000

export function readListing(
  input: CommandInput<'after' | 'limit'>,
  first: string,
): { readonly after: string; readonly limit: number } {
  const limit = Number(textOption(input, 'limit') ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new UsageError(`--limit takes a whole number from 1 to ${LIMIT_MAX}.`)
  }
  return { after: textOption(input, 'after') ?? first, limit }
}
