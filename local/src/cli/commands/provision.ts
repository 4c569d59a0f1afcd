import {
  defaultCallbackNote,
  provision as provisionSocialLogin,
  readSocialLogin,
  wildcardProblem,
} from '../../api/tenants.ts'
import { singleLine } from '../../problem.ts'
import { appLoginUrls } from '../../recipes/write-recipe.ts'
import { type Command, usageProblem } from '../command.ts'

export const provision: Command = {
  name: 'provision',
  synopsis: '<callback URL…> [--add] [--default]',
  summary: 'register the callback URLs of your app and print where its users sign in',
  details: [
    'Replaces the whole list of callback URLs: name every one to keep. Users and sessions are not changed.',
    'Prints /login of your app if the project has the SDK or a recipe, otherwise the login link of the service.',
    '',
    '--add              add these URLs to the registered ones',
    '--default          with --add: before the others, so that the login link alone returns to the first of these URLs',
    '',
    'The login link alone returns to the first URL without a wildcard. An app with the SDK returns each user to the address',
    'where they began: the order of production and localhost does not matter to it.',
  ],
  options: { add: { type: 'boolean' }, default: { type: 'boolean' } },
  positionals: { min: 1, max: 50 },
  async run(io, urls, { add, default: isDefault }) {
    if (isDefault === true && add !== true) {
      const message = 'Use --default with --add: without it, these URLs replace the whole list.'
      throw usageProblem(message, 'provision')
    }
    const project = await io.project()
    const before = (await readSocialLogin(project))?.callback_urls ?? []
    const all = isDefault === true ? [...urls, ...before] : [...before, ...urls]
    const callbackUrls = add === true ? [...new Set(all)] : urls
    const resource = await provisionSocialLogin(project, { callback_urls: callbackUrls })
    const appLogins = await appLoginUrls(project.root, resource.callback_urls)
    const { colors } = io
    io.printResult({ ...resource, ...(appLogins === null ? {} : { app_login_urls: appLogins }) }, () => {
      const registered = resource.callback_urls
      const removed = before.filter((url) => !registered.includes(url))
      return [
        ...(appLogins === null
          ? [
              `${colors.green('✓')} Social login is set up. Link to this URL from the sign-in button of your app:`,
              `  ${colors.bold(resource.login_url)}`,
              '  This is the login link of the service. With an adapter of the SDK, link to /login of your app instead.',
            ]
          : [
              `${colors.green('✓')} Social login is set up. Link to /login of your app, which the SDK handles, from its sign-in button.`,
              ...appLogins.map((url) => `  login     ${colors.bold(url)}`),
            ]),
        ...registered.map((url) => `  callback  ${singleLine(url)}`),
        ...removed.map((url) => `  ${colors.yellow('removed')}   ${singleLine(url)}`),
        ...[defaultCallbackNote(registered) ?? []].flat().map((note) => `  ${singleLine(note)}.`),
        ...[wildcardProblem(registered) ?? [], resource.warnings ?? []]
          .flat()
          .map((warning) => `  ${colors.yellow('warning')}   ${singleLine(warning)}`),
      ]
    })
    return undefined
  },
}
