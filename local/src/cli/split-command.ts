import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { COMMON_OPTIONS } from './command.ts'
import { COMMANDS } from './commands/index.ts'

/** The options of every command: which of them take a value decides which argument is the command's name. */
const OPTIONS: ParseArgsOptionsConfig = Object.assign({}, COMMON_OPTIONS, ...COMMANDS.map(({ options }) => options))

/** The name of the command, which may stand after options, and all other arguments. */
export function splitCommand(args: readonly string[]): { name: string | undefined; rest: readonly string[] } {
  // Not strict: the command itself reports options that it does not have.
  const { tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const verb = tokens.find(({ kind }) => kind === 'positional')
  return verb === undefined
    ? { name: undefined, rest: args }
    : { name: args[verb.index], rest: args.toSpliced(verb.index, 1) }
}
