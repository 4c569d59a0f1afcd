import { acceptsCodesOnly, describeLoginLink } from '../../api/login-link.ts'
import { provision as provisionSocialLogin, readSocialLogin } from '../../api/tenants.ts'
import { singleLine } from '../../problem.ts'
import { type AppLogin, findAppLogin } from '../../recipes/app-login.ts'
import { FRAMEWORKS } from '../../recipes/frameworks.ts'
import { type Command, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

export const provision: Command = {
  name: 'provision',
  synopsis: '<callback URL…> [--add] [--default]',
  summary: 'register the callback URLs of your app and print where its users sign in',
  details: [
    'Replaces the whole list of callback URLs: name every one to keep. Users and sessions are not changed.',
    'Prints where users sign in: /login of your app, with the SDK on a server or a recipe; a button that calls session.login(),',
    'with the SDK in an SPA; no link for an installed app; otherwise the login link of the service.',
    '',
    '--add              add these URLs to the registered ones',
    '--default          with --add: before the others, so that the login link alone returns to the first of these URLs',
    '',
    'The login link alone returns to the first URL without a wildcard. An app with the SDK or one of our recipes returns each',
    'user to the address where they began: the order of production and localhost does not matter to it. If the first URL is',
    'that of an installed app, such as com.example.app:/callback, or the setting callback_mode is code, the login link alone',
    'is refused: the app starts the login with a code_challenge.',
  ],
  options: { add: { type: 'boolean' }, default: { type: 'boolean' } },
  positionals: { min: 1, max: 50 },
  async run(io, urls, { add, default: isDefault }) {
    if (isDefault === true && add !== true) {
      const message = 'Use --default with --add: without it, these URLs replace the whole list.'
      throw usageProblem(message, 'provision')
    }
    const project = await io.project()
    const found = await readSocialLogin(project)
    const codesOnly = found !== null && (await acceptsCodesOnly(project))
    const before = found?.callback_urls ?? []
    const all = isDefault === true ? [...urls, ...before] : [...before, ...urls]
    const callbackUrls = add === true ? [...new Set(all)] : urls
    const resource = await provisionSocialLogin(project, { callback_urls: callbackUrls })
    const login = await findAppLogin(project.root, resource.callback_urls)
    const { colors } = io
    io.printResult(
      { ...resource, ...(login === null ? {} : { app_login_urls: login.urls }) },
      () => {
        const registered = resource.callback_urls
        const { refused, note, problem } = describeLoginLink(project, registered, codesOnly)
        const removed = before.filter((url) => !registered.includes(url))
        return [
          ...linkLines(io, resource.login_url, refused !== null, login),
          ...registered.map((url) => `  callback  ${singleLine(url)}`),
          ...removed.map((url) => `  ${colors.yellow('removed')}   ${singleLine(url)}`),
          ...(note === null ? [] : [`  ${singleLine(note)}.`]),
          ...[problem ?? [], resource.warnings ?? []]
            .flat()
            .map((warning) => `  ${colors.yellow('warning')}   ${singleLine(warning)}`),
        ]
      },
    )
    return undefined
  },
}

/** What the sign-in button of the app links to. Nothing, if the link alone is refused: the notes say what starts a login. */
function linkLines(
  { colors }: CommandIo,
  loginUrl: string,
  isRefused: boolean,
  login: AppLogin | null,
): string[] {
  const done = `${colors.green('✓')} Social login is set up.`
  if (login?.isSpa) {
    return [`${done} Users sign in with ${FRAMEWORKS.vite.buttons[0]}.`]
  }
  if (login !== null) {
    return [
      `${done} Link to /login of your app, which the app handles, from its sign-in button.`,
      ...login.urls.map((url) => `  login     ${colors.bold(url)}`),
    ]
  }
  if (isRefused) {
    return [done]
  }
  return [
    `${done} Link to this URL from the sign-in button of your app:`,
    `  ${colors.bold(loginUrl)}`,
    '  This is the login link of the service. With the SDK or one of our recipes, link to /login of your app instead.',
  ]
}
