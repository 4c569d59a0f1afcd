import { openBrowser } from '../../account/sign-in.ts'
import { acceptsCodesOnly } from '../../api/login-link.ts'
import { request } from '../../api/request.ts'
import { readSocialLogin } from '../../api/tenants.ts'
import { commandLine, likelyService, programFrom } from '../../invocation.ts'
import { nextStep, Problem } from '../../problem.ts'
import { type Command, SERVICE_OPTION, usageProblem } from '../command.ts'
import { wire } from '../first-answers.ts'

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\//

export const dev: Command = {
  name: 'dev',
  synopsis: '[--app <origin>] [--no-open]',
  summary: 'open the login of your app on this machine in the browser',
  details: [
    'Opens /login of your app if that starts a login, as in the recipes, and otherwise the login link, or your app if the setting',
    'callback_mode is code, which refuses the link. The app must be running.',
    '',
    '--app <origin>     the origin of your app (default: that of the first callback URL on this machine)',
    '--no-open          print the URL without opening a browser',
  ],
  options: { app: { type: 'string' }, 'no-open': { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  async run(io, _positionals, options) {
    const project = await io.project()
    const resource = await readSocialLogin(project)
    const callback = callbackAt(originOf(options.app), resource?.callback_urls ?? [])
    const { origin } = new URL(callback)
    const startsAtLogin = await startsLogin(origin, project.credentials.base_url)
    const startsInPage = !startsAtLogin && (await acceptsCodesOnly(project))
    const serviceLink = `${resource?.login_url}?redirect_uri=${encodeURIComponent(callback)}`
    const link = startsAtLogin ? `${origin}/login` : serviceLink
    const url = startsInPage ? `${origin}/` : link
    if (options['no-open'] !== true) {
      openBrowser(url)
    }
    io.printResult({ url }, () => [
      `${options['no-open'] === true ? 'Open' : 'Opening'} ${io.colors.bold(url)}`,
    ])
    if (startsInPage) {
      io.printNote(
        'The login link is refused, because callback_mode is code: sign in with the button of the app.',
      )
    }
    io.printNote(`To see what happens, run: ${commandLine('events --follow')}`)
    return undefined
  },
}

function originOf(written: string | boolean | undefined): string | null {
  if (written === undefined) {
    return null
  }
  const url = URL.canParse(String(written)) ? new URL(String(written)) : null
  if (url !== null && LOOPBACK.test(url.href)) {
    return url.origin
  }
  throw usageProblem(
    '--app must be an http origin on this machine, such as http://localhost:3000.',
    'dev',
  )
}

/** A callback on this machine that is registered without a port is good for any port. */
function callbackAt(app: string | null, registered: readonly string[]): string {
  const local = registered.filter((url) => LOOPBACK.test(url)).map((url) => new URL(url))
  const found =
    app === null
      ? local[0]
      : local.find((url) => url.origin === app || isAnyPort(url, new URL(app)))
  if (found !== undefined) {
    return (app ?? found.origin) + found.pathname + found.search
  }
  throw new Problem(
    'notProvisioned',
    app === null
      ? 'No callback URL on this machine is registered.'
      : `No callback URL at ${app} is registered.`,
    nextStep(
      `Register it: ${commandLine(`provision --add ${app ?? 'http://localhost:3000'}/auth/callback`)}`,
    ),
  )
}

const isAnyPort = (callback: URL, app: URL): boolean =>
  callback.port === '' && callback.hostname === app.hostname

/** True when /login of the app redirects to the service, as the SDK's startLogin does. */
async function startsLogin(app: string, service: string): Promise<boolean> {
  try {
    const { status, headers } = await request(app, 'GET', '/login')
    return (
      status >= 300 &&
      status < 400 &&
      (headers.get('location') ?? '').startsWith(`${service}/edge/auth/`)
    )
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'serviceUnreachable') {
      throw error
    }
    const next = nextStep(
      `Start your app. If it has another address, run: ${commandLine('dev --app http://localhost:<port>')}`,
    )
    throw new Problem('appUnreachable', `No app responds at ${app}.`, next, { cause: error })
  }
}

export const mcp: Command = {
  name: 'mcp',
  synopsis: '[--service <url>]',
  summary: 'run the MCP server for a coding agent on standard input and output',
  get details() {
    return [
      `In the configuration of an agent: ${programFrom(likelyService(), '-y ')} mcp`,
      'Standard output carries the protocol only; diagnostics go to standard error.',
      '',
      '--service <url>    the service of create_tenant (default: GATEHOUSE_URL, or http://localhost:8787)',
    ]
  },
  options: SERVICE_OPTION,
  positionals: { min: 0, max: 0 },
  endsOnSignal: true,
  async run(io) {
    const options = io.service
    // A dynamic import: the other commands start faster without the MCP server.
    const { serve } = await import('../../mcp/serve.ts')
    serve(options, wire)
    wire?.started()
    return undefined
  },
}
