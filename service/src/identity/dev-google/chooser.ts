import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { chooserPage, errorPage, PAGE_HEADERS } from './page.ts'
import { visitFrom } from './visit.ts'

const FORM_MAX_BYTES = 16 * 1024

/** The one page: GET shows it, POST is somebody pressing one of its buttons. */
export async function choose(
  provider: Provider,
  mountPath: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(req, res).catch(() => null)
  if (interaction === null) {
    return sendPage(res, 400, errorPage(mountPath, 'It has ended, or it was started in another browser.'))
  }
  const host = new URL(String(interaction.params.redirect_uri)).host
  if (req.method !== 'POST') return sendPage(res, 200, chooserPage({ mountPath, host }))

  const visit = visitFrom(await readForm(req), provider.issuer)
  if (visit === null) {
    const problem = 'Choose somebody, or write an e-mail address.'
    return sendPage(res, 400, chooserPage({ mountPath, host, problem }))
  }
  await provider.interactionFinished(
    req,
    res,
    visit === 'cancelled'
      ? { error: 'access_denied', error_description: 'The person pressed Cancel.' }
      : { login: { accountId: visit.sub }, select_account: {}, visit },
    { mergeWithLastSubmission: false },
  )
}

async function sendPage(res: ServerResponse, status: number, page: ReturnType<typeof chooserPage>): Promise<void> {
  res.writeHead(status, PAGE_HEADERS).end(String(await page))
}

async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > FORM_MAX_BYTES) throw new Error('The form is larger than any of ours.')
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
