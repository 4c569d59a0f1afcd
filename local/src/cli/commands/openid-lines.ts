import { CLIENT_SECRET_FIELD } from '../../api/tenants.ts'
import { commandLine } from '../../invocation.ts'
import type { AdditionToFile } from '../../recipes/additions.ts'
import type { LibrarySetup, OpenIdApp, OpenIdSetup } from '../../recipes/set-up-openid.ts'
import type { CommandIo } from '../command-io.ts'

/** What `init` prints for an app with an OpenID library. */
export function openIdLines(io: CommandIo, app: OpenIdApp, openid: OpenIdSetup): string[] {
  const { library, docs } = openid
  const entry = app.found?.entry ?? null
  const where = entry === null ? '' : ` (${entry})`
  const lines = [
    ...(app.label === null ? [] : [`  App          ${app.label}${where}`]),
    ...valueLines(openid),
    callbackLine(io, openid),
    ...(openid.callback_registered
      ? ['  Mode         callback_mode is code: no URL has a token']
      : []),
  ]

  if (library === null) {
    lines.push(
      '',
      'Give these three values to the OpenID library of your app, with the scopes openid email profile.',
    )
  } else {
    lines.push('', `${io.colors.bold(`Library: ${library.name}`)}. With it, ${library.brings}.`)
    lines.push(...libraryLines(io, library))
  }
  return [...lines, '', `Each library, sign-out, and what a block of a user does: ${docs}.md`]
}

/** What `init` prints beside its own recipe, where a library is the better choice. */
export function recommendationLines(io: CommandIo, openid: OpenIdSetup): string[] {
  const { library, docs } = openid
  if (library === null) {
    return []
  }
  return [
    `${io.colors.bold(`Recommended instead: ${library.name}`)}. With it, ${library.brings}.`,
    'Keep the files above only if a block of a user must take effect at once: a library has a session of its own.',
    ...valueLines(openid),
    callbackLine(io, openid),
    `  Install      ${library.install}`,
    ...libraryLines(io, library),
    '',
    `Each library, sign-out, and what a block of a user does: ${docs}.md`,
  ]
}

const valueLines = ({ issuer, client_id }: OpenIdSetup): string[] => [
  `  Issuer       ${issuer}`,
  `  Client id    ${client_id}`,
  `  Secret       ${CLIENT_SECRET_FIELD} in .service: the app reads it there, or GATEHOUSE_CLIENT_SECRET in production. Print it nowhere`,
]

function libraryLines(io: CommandIo, { additions, sign_in, user, rows }: LibrarySetup): string[] {
  return [
    ...additions.flatMap((addition) => additionLines(io, addition)),
    '',
    'In your pages:',
    `  Sign in      ${sign_in}`,
    `  User         ${user}`,
    `  Rows         ${rows}`,
  ]
}

interface Callback {
  readonly callback_url: string
  readonly callback_registered: boolean
}

export function callbackLine({ colors }: CommandIo, callback: Callback): string {
  const { callback_registered: isRegistered, callback_url: url } = callback
  if (isRegistered) {
    return `  Callback     ${url}`
  }
  const add = commandLine(`provision --add ${url}`)
  return `  ${colors.yellow('Callback')}     ${url} is not registered: ${add}`
}

export const additionLines = (
  { colors }: CommandIo,
  { file, where, lines }: AdditionToFile,
): string[] => [
  '',
  `${colors.bold(`Add to ${file}`)}, ${where}:`,
  ...lines.map((line) => `  ${colors.green(line)}`.trimEnd()),
]
