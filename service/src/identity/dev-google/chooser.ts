import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { INVALID_PRESELECTED_USER, readPreselectedUser } from '../../domain/login/preselected-user.ts'
import { chooserPage, errorPage, PAGE_HEADERS } from './page.ts'
import { preselectedSignIn, readChoice, type SimulatedSignIn } from './simulated-sign-in.ts'

const FORM_MAX_BYTES = 16 * 1024

/** The account chooser: GET shows it, unless a test has chosen by cookie; POST is the user's choice. */
export async function accountChooser(
  provider: Provider,
  mountPath: string,
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
    return sendPage(res, 400, errorPage(mountPath, problem))
  }
  const host = new URL(String(interaction.params.redirect_uri)).host
  const finish = (signIn: SimulatedSignIn | 'cancelled'): Promise<void> => finishInteraction(provider, req, res, signIn)
  if (req.method !== 'POST') {
    const preselected = readPreselectedUser(req.headers.cookie)
    if (preselected === 'invalid') return sendPage(res, 400, errorPage(mountPath, INVALID_PRESELECTED_USER))
    if (preselected !== null) return finish(preselectedSignIn(preselected, provider.issuer))
    return sendPage(res, 200, chooserPage({ mountPath, host }))
  }

  const signIn = readChoice(await readForm(req), provider.issuer)
  if (signIn === null) {
    const problem = 'Choose an account, or enter an email address.'
    return sendPage(res, 400, chooserPage({ mountPath, host, problem }))
  }
  await finish(signIn)
}

const finishInteraction = (
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
  signIn: SimulatedSignIn | 'cancelled',
): Promise<void> =>
  provider.interactionFinished(
    req,
    res,
    signIn === 'cancelled'
      ? { error: 'access_denied', error_description: 'The user pressed Cancel.' }
      : { login: { accountId: signIn.sub }, select_account: {}, signIn },
    { mergeWithLastSubmission: false },
  )

async function sendPage(res: ServerResponse, status: number, page: ReturnType<typeof chooserPage>): Promise<void> {
  res.writeHead(status, PAGE_HEADERS).end(String(await page))
}

async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > FORM_MAX_BYTES) throw new Error('The form is too large.')
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
