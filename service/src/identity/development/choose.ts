import type { IncomingMessage, ServerResponse } from 'node:http'
import { INVALID_PRESELECTED_USER, readPreselectedUser } from '../../domain/login/attempt.ts'
import { chooserPage, errorPage, PAGE_HEADERS } from './page.ts'
import { readForm } from './read-form.ts'
import type { SignInPage } from './sign-in-page.ts'
import { preselectedSignIn, readChoice, type SimulatedSignIn } from './simulated-sign-in.ts'

/** GET shows the account chooser, unless a test has chosen by cookie; POST is the user's choice. */
export async function choose(
  page: SignInPage,
  req: IncomingMessage,
  res: ServerResponse,
  { host, finish }: { readonly host: string; finish(signIn: SimulatedSignIn | 'cancelled'): Promise<void> | void },
): Promise<void> {
  if (req.method !== 'POST') {
    const preselected = readPreselectedUser(req.headers.cookie)
    if (preselected === 'invalid') return sendPage(res, 400, errorPage(page, INVALID_PRESELECTED_USER))
    if (preselected === null) return sendPage(res, 200, chooserPage(page, { host }))
    const signIn = preselectedSignIn(preselected, page)
    return signIn === null ? sendPage(res, 400, errorPage(page, cannotFail(page, preselected.outcome))) : finish(signIn)
  }
  const signIn = readChoice(await readForm(req), page)
  if (signIn !== null) return finish(signIn)
  const problem = 'Choose an account, or enter an email address.'
  return sendPage(res, 400, chooserPage(page, { host, problem }))
}

const cannotFail = ({ title, faults }: SignInPage, outcome: string | null): string =>
  `${title} can’t fail with "${outcome}". Use one of: ${['deny', ...faults.map(({ value }) => value)].join(', ')}.`

export async function sendPage(res: ServerResponse, status: number, page: ReturnType<typeof errorPage>): Promise<void> {
  res.writeHead(status, PAGE_HEADERS).end(String(await page))
}
