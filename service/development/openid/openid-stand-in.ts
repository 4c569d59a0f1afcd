import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { errorPage, type SignInPage, signInPage } from '../page.ts'
import { choose, sendPage } from '../simulated-sign-in.ts'
import { mountStandIn, type StandIn, type StandInConfig } from '../stand-in.ts'
import type { OpenIdDefinition } from './definition.ts'
import { openIdProvider } from './provider.ts'

/** A stand-in for an OpenID provider: a real one, configured to respond as this provider does. */
export async function openIdStandIn(
  definition: OpenIdDefinition,
  config: StandInConfig,
): Promise<StandIn> {
  const page = signInPage(definition, config.url)
  const { protocol, host } = new URL(config.url)
  const prefix = page.mountPath.slice(0, -1)
  let response: ((...request: Parameters<StandIn['listener']>) => Promise<void>) | undefined

  const standIn = mountStandIn(page, async (req, res, path) => {
    if (path.startsWith('choose/')) {
      return accountChooser(provider, definition, page, req, res)
    }
    // oidc-provider expects a mounted request: the full path in originalUrl, the rest in url, which starts with a slash.
    const below = (req.url ?? '').slice(prefix.length)
    const rest = below.slice(definition.authority?.exec(below)?.[0].length ?? 0)
    Object.assign(req, { originalUrl: req.url, url: rest.startsWith('/') ? rest : `/${rest}` })
    // The URLs it generates come from where it is mounted, not from the Host header or the issuer.
    Object.assign(req.headers, {
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-host': host,
    })
    response ??= provider.callback()
    await response(req, res)
  })
  const provider = await openIdProvider(definition, page, config)
  return standIn
}

/** The account chooser of an authorization request that oidc-provider has checked. */
async function accountChooser(
  provider: Provider,
  { cancelError }: OpenIdDefinition,
  page: SignInPage,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(req, res).catch(() => null)
  if (interaction === null) {
    // The cookie was set by the redirect that led here, so a browser without any has refused it.
    const problem =
      req.headers.cookie === undefined
        ? 'Your browser sent no cookies, so they may be blocked. Allow cookies for this site.'
        : 'It has ended, or it started in another browser.'
    return sendPage(res, 400, errorPage(page, problem))
  }
  await choose(page, req, res, {
    host: new URL(String(interaction.params.redirect_uri)).host,
    finish(signIn) {
      const result =
        signIn === 'cancelled'
          ? { error: cancelError, error_description: 'The user pressed Cancel.' }
          : { login: { accountId: signIn.sub }, select_account: {}, signIn }
      return provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false })
    },
  })
}
