import type { Stores } from '../domain/stores/stores.ts'

/** One command of the operator. The same definition parses its arguments and writes its help. */
export interface Command<Option extends string = string> {
  /** One or two words, such as `tenants list`. */
  readonly name: string
  /** The arguments after the name, as the usage line shows them. */
  readonly synopsis: string
  /** One line, in lower case. */
  readonly summary: string
  /** Sentences for `--help`. */
  readonly details?: readonly string[]
  readonly options?: Readonly<Record<Option, OptionDefinition>>
  readonly positionals: { readonly min: number; readonly max: number }
  run(input: CommandInput<Option>, io: CommandIo): Promise<void>
}

/** `run` can read only the options that the command has. */
export const defineCommand = <Option extends string = never>(command: Command<Option>): Command =>
  command

export interface OptionDefinition {
  readonly type: 'string' | 'boolean'
  readonly help: string
}

export interface CommandInput<Option extends string = never> {
  readonly values: Readonly<Record<Option, string | boolean | undefined>>
  readonly positionals: readonly string[]
}

export interface CommandIo {
  readonly config: {
    readonly dataDir: string
    readonly databaseUrl: string | null
    readonly serviceKeys: unknown
  }
  readonly now: number
  /** Prints a result: the record as one line of JSON with `--json`, otherwise the text. */
  emit(record: object, text: string): void
  /** Prints a line for people only. */
  note(text: string): void
  /** Opens the database of the service, which may be running. */
  open(): Promise<OpenDatabase>
  /** For `backup`, which must not open the database: that would migrate it. */
  readonly files: {
    readonly databaseFile: string
    copyDatabase(file: string, target: string): void
  }
  /** For `move`: the source must not be migrated, and the target must stay empty until all rows are there. */
  move(engines: {
    readonly from: EngineName
    readonly to: EngineName
    readonly dryRun: boolean
  }): Promise<{
    readonly tables: readonly { readonly name: string; readonly rows: number }[]
    readonly source: string | null
  }>
}

export type EngineName = 'sqlite' | 'postgres'

interface OpenDatabase {
  readonly stores: Stores
  /** Adapts a database that was restored from a backup. */
  restored(restoring: {
    readonly skipIds: number
    readonly signOut: boolean
  }): Promise<Readonly<Record<'users' | 'owners' | 'agents', number>>>
  close(): Promise<void>
}

/** Invalid arguments; nothing was done. */
export class UsageError extends Error {}

/** A command that uses the database. */
export const onDatabase =
  <Option extends string = never>(
    run: (input: CommandInput<Option>, io: CommandIo & OpenDatabase) => Promise<void>,
  ): Command<Option>['run'] =>
  async (input, io) => {
    const database = await io.open()
    try {
      await run(input, { ...io, ...database })
    } finally {
      await database.close()
    }
  }

export const textOption = <Option extends string>(
  { values }: CommandInput<Option>,
  name: NoInfer<Option>,
): string | undefined => {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

const REASON_MAX = 500

export const REASON: OptionDefinition = {
  type: 'string',
  help: `why, in one line of at most ${REASON_MAX} characters; the owner reads it`,
}

/** The reason for an action. Required: the owner reads it, and so does the next operator. */
export function readReason(input: CommandInput<'reason'>): string {
  const reason = textOption(input, 'reason')?.trim() ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it rejects control characters
  if (reason === '' || reason.length > REASON_MAX || /[\u0000-\u001f\u007f-\u009f]/.test(reason)) {
    throw new UsageError(
      `Give a --reason in one line of at most ${REASON_MAX} characters. Nothing was changed.`,
    )
  }
  return reason
}

export const YES: OptionDefinition = {
  type: 'boolean',
  help: 'do it; without it, nothing is changed',
}

/** What cannot be undone needs `--yes`. */
export function requireYes({ values }: CommandInput<'yes'>, what: string): void {
  if (values.yes !== true) {
    throw new UsageError(`${what} Nothing was changed. To do it, add --yes.`)
  }
}
