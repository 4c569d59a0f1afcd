import { provision as provisionCall, readSocialLogin } from '../../api/social-login.ts'
import { oneLine } from '../../safe-text.ts'
import type { Verb } from '../verb.ts'

export const provision: Verb = {
  name: 'provision',
  takes: '<callback url…> [--add]',
  summary: 'say where people return to after signing in; prints the login link',
  more: [
    'Replaces the whole list of callback URLs: name every one that should stay. Users and sessions are not touched.',
    '',
    '--add              keep the URLs that are registered now, and add these',
  ],
  options: { add: { type: 'boolean' } },
  words: { min: 1, max: 50 },
  async run(io, urls, { add }) {
    const project = await io.project()
    const before = (await readSocialLogin(project))?.callback_urls ?? []
    const callbackUrls = add === true ? [...new Set([...before, ...urls])] : urls
    const resource = await provisionCall(project, { callback_urls: callbackUrls })
    const { paint } = io
    io.response(resource, () => {
      const kept = resource.callback_urls
      const dropped = before.filter((url) => !kept.includes(url))
      return [
        `${paint.green('✓')} Sign-in is set up. Put this link behind a button in the app:`,
        `  ${paint.bold(resource.login_url)}`,
        ...kept.map((url) => `  returns to  ${oneLine(url)}`),
        ...dropped.map((url) => `  ${paint.yellow('dropped')}     ${oneLine(url)}`),
        ...(resource.warnings ?? []).map((warning) => `  ${paint.yellow('look')}        ${oneLine(warning)}`),
      ]
    })
    return undefined
  },
}
