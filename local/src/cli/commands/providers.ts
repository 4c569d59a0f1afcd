import { addAbortSignal } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { NAMED_PROVIDERS, PROVIDER_KINDS, type ProviderDefinition } from '@gatehouse-auth/contract'
import {
  findProviders,
  type Provider,
  removeProvider,
  setProvider,
  tryProvider,
} from '../../api/management.ts'
import type { Project } from '../../credentials/project.ts'
import { interrupted, interruption } from '../../interruption.ts'
import { singleLine } from '../../problem.ts'
import { type Command, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'
import { EXIT_CODES } from '../exit-codes.ts'

interface Named {
  readonly project: Project
  readonly name: string
  readonly fields: readonly string[]
}

type Run = (io: CommandIo, named: Named) => Promise<number | undefined>

const SECRET_VARIABLE = 'PROVIDER_SECRET'

const KINDS = Object.entries<ProviderDefinition>(PROVIDER_KINDS)

/** `microsoft: directory=`, for each kind of provider with fields of its own. */
const FIELD_LIST = KINDS.flatMap(([kind, { fields }]) => {
  const names = Object.keys(fields).filter((name) => !isSecret(name))
  const prefix = kind === 'oidc' ? 'oidc-' : kind
  return names.length === 0 ? [] : [`${prefix}: ${names.map((name) => `${name}=`).join(' ')}`]
}).join('  ')

/** Whether a field is a secret, at any provider. */
function isSecret(field: string): boolean {
  const isMarked = KINDS.some(([, { fields }]) => fields[field]?.secretRows !== undefined)
  return isMarked || field === 'client_secret'
}

/** What authenticates a client: a client secret, at most providers. */
function secretFieldOf(name: string): string {
  const [, definition] = KINDS.find(([kind]) => kind === name) ?? []
  return Object.keys(definition?.fields ?? {}).find(isSecret) ?? 'client_secret'
}

const printProvider = (io: CommandIo, provider: Provider): void =>
  io.printResult(provider, () => [line(io, provider)])

const ACTIONS: Readonly<Record<string, Run>> = {
  async share(io, { project, name }) {
    printProvider(io, await setProvider(project, name, { mode: 'shared' }))
    return undefined
  },
  async set(io, { project, name, fields }) {
    const body = Object.fromEntries(fields.map(readField))
    const secret = { [secretFieldOf(name)]: await readSecret() }
    const provider = await setProvider(project, name, { ...body, ...secret })
    printProvider(io, provider)
    io.printNote(
      `Register ${provider.redirect_uri} at the provider. Then the owner presses "Test sign-in" at /account.`,
    )
    return undefined
  },
  async test(io, { project, name }) {
    const result = await tryProvider(project, name)
    io.printResult(result, () => [
      result.accepted ? 'Accepted' : `Not accepted: ${result.error_code}`,
    ])
    return result.accepted ? undefined : EXIT_CODES.failed
  },
  async remove(io, { project, name }) {
    const result = await removeProvider(project, name)
    io.printResult(result, () => [`Removed ${singleLine(name)}.`])
    return undefined
  },
}

export const providers: Command = {
  name: 'providers',
  synopsis: '[share|test|remove <name> | set <name> <field>=<value>…]',
  summary: 'list what users can sign in with; switch a provider on, or set your own client there',
  details: [
    `One line per provider: ${NAMED_PROVIDERS.join(', ')}, or oidc-<name>. With --json: one API provider per line.`,
    '',
    'share <name>                     use the client of the service',
    'set <name> client_id=<id> …      use your own client. The secret is read from PROVIDER_SECRET or standard input,',
    '                                 never from an argument; of apple, it is the content of the .p8 file',
    `                                 ${FIELD_LIST}`,
    '                                 redirect_uri= names a relay of your app',
    'test <name>                      ask the provider whether it accepts your client; exits with 1 if not',
    'remove <name>                    switch it off; google returns to the client of the service',
  ],
  positionals: { min: 0, max: 10 },
  async run(io, [action, name, ...fields]) {
    if (action === undefined) {
      return list(io)
    }
    const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
    if (run === undefined) {
      throw usageProblem(
        `Unknown action. Use one of ${Object.keys(ACTIONS).join(', ')}.`,
        'providers',
      )
    }
    if (name === undefined) {
      throw usageProblem(`Name the provider: providers ${action} <name>.`, 'providers')
    }
    if (action !== 'set' && fields.length > 0) {
      throw usageProblem('Only set takes fields.', 'providers')
    }
    return run(io, { project: await io.project(), name, fields })
  },
}

/** An argument is visible to other users of the machine and stays in the shell's history. */
function readField(field: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([a-z_]+)=(.*)$/s.exec(field) ?? []
  if (name === '') {
    throw usageProblem('Write <field>=<value>.', 'providers')
  }
  if (isSecret(name)) {
    throw usageProblem(
      `Pass the secret in ${SECRET_VARIABLE} or on standard input, not as an argument.`,
      'providers',
    )
  }
  return [name, value]
}

async function readSecret(): Promise<string> {
  const fromEnvironment = process.env[SECRET_VARIABLE]
  if (fromEnvironment !== undefined) {
    return fromEnvironment
  }
  if (process.stdin.isTTY) {
    throw usageProblem(`Set ${SECRET_VARIABLE}, or pipe the secret in.`, 'providers')
  }
  try {
    return (await readText(addAbortSignal(interruption, process.stdin))).trim()
  } catch (error) {
    throw interruption.aborted ? interrupted('Nothing was changed.') : error
  }
}

async function list(io: CommandIo): Promise<undefined> {
  for (const provider of await findProviders(await io.project())) {
    printProvider(io, provider)
  }
  return undefined
}

function line({ colors }: CommandIo, { name, mode, client_id, status, in_use }: Provider): string {
  const color = { active: colors.green, pending: colors.yellow, failing: colors.red }[status]
  const waiting =
    status === 'pending' ? ` (in use: ${in_use === null ? 'nothing' : in_use.mode})` : ''
  return `${name}  ${mode}${client_id === null ? '' : ` ${singleLine(client_id)}`}  ${color(status)}${waiting}`
}
