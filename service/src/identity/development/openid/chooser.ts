import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { choose, sendPage } from '../choose.ts'
import { errorPage } from '../page.ts'
import type { SignInPage } from '../sign-in-page.ts'
import type { OpenIdDefinition } from './definition.ts'

/** The account chooser of an authorization request that oidc-provider has checked. */
export async function accountChooser(
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
    finish: (signIn) =>
      provider.interactionFinished(
        req,
        res,
        signIn === 'cancelled'
          ? { error: cancelError, error_description: 'The user pressed Cancel.' }
          : { login: { accountId: signIn.sub }, select_account: {}, signIn },
        { mergeWithLastSubmission: false },
      ),
  })
}
