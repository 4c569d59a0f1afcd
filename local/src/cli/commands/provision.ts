import { provision as provisionSocialLogin, readSocialLogin } from '../../api/social-login.ts'
import { wildcardProblem } from '../../api/wildcard-callbacks.ts'
import { singleLine } from '../../redact.ts'
import type { Command } from '../command.ts'

export const provision: Command = {
  name: 'provision',
  synopsis: '<callback URL…> [--add]',
  summary: 'register the callback URLs of your app and print the login link',
  details: [
    'Replaces the whole list of callback URLs: name every one to keep. Users and sessions are not changed.',
    '',
    '--add              add these URLs to the registered ones',
  ],
  options: { add: { type: 'boolean' } },
  positionals: { min: 1, max: 50 },
  async run(io, urls, { add }) {
    const project = await io.project()
    const before = (await readSocialLogin(project))?.callback_urls ?? []
    const callbackUrls = add === true ? [...new Set([...before, ...urls])] : urls
    const resource = await provisionSocialLogin(project, { callback_urls: callbackUrls })
    const { colors } = io
    io.printResult(resource, () => {
      const registered = resource.callback_urls
      const removed = before.filter((url) => !registered.includes(url))
      return [
        `${colors.green('✓')} Social login is set up. Link to this URL from the sign-in button of your app:`,
        `  ${colors.bold(resource.login_url)}`,
        ...registered.map((url) => `  callback  ${singleLine(url)}`),
        ...removed.map((url) => `  ${colors.yellow('removed')}   ${singleLine(url)}`),
        ...[wildcardProblem(registered) ?? [], resource.warnings ?? []]
          .flat()
          .map((warning) => `  ${colors.yellow('warning')}   ${singleLine(warning)}`),
      ]
    })
    return undefined
  },
}
