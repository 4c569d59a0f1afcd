import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopback } from '../src/domain/callbacks/host.ts'
import {
  INVALID_PRESELECTED_USER,
  type PreselectedUser,
  readPreselectedUser,
} from '../src/domain/login/preselected-user.ts'
import { chooserPage, errorPage, type Fault, PAGE_HEADERS, type SignInPage } from './page.ts'
import { SAMPLE_USERS, type SampleUser, subjectOf } from './sample-users.ts'

/** The user and the fault that were chosen on the page. */
export interface SimulatedSignIn {
  readonly sub: string
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string | null
  /** The Workspace of a Google account. */
  readonly workspace: string | null
  /** The directory of a Microsoft account. null: the default one. */
  readonly directory: string | null
  readonly picture: string | null
  readonly failsAt: 'token_exchange' | 'userinfo' | null
}

/** What a user looks like at this provider. */
type Subjects = Pick<SignInPage, 'url' | 'subject'>

/** The choice in the form; null when the form is invalid. */
function readChoice(form: URLSearchParams, page: SignInPage): SimulatedSignIn | 'cancelled' | null {
  switch (form.get('choice')) {
    case 'cancel':
      return 'cancelled'
    case 'someone_else':
      return otherUser(form, page)
    case 'break':
      return faultySignIn(form.get('breakage'), page)
    default: {
      const user = SAMPLE_USERS.find(({ id }) => id === form.get('person'))
      return user ? signInAs(user, page) : null
    }
  }
}

const signInAs = (
  { id, sub, name, email, workspace, portrait }: SampleUser,
  page: Subjects,
): SimulatedSignIn => ({
  sub: page.subject(sub),
  email,
  emailVerified: true,
  name,
  workspace,
  directory: null,
  picture: portrait ? `${page.url}/people/${id}.svg` : null,
  failsAt: null,
})

/** The sign-in that a test chose instead of pressing a button. null: the provider cannot fail this way. */
function preselectedSignIn(
  { email, outcome }: PreselectedUser,
  page: SignInPage,
): SimulatedSignIn | 'cancelled' | null {
  if (outcome === 'deny') {
    return 'cancelled'
  }
  const signIn = signInByEmail(email, page)
  if (outcome === null) {
    return signIn
  }
  return page.faults.some(({ value }) => value === outcome) ? withFault(signIn, outcome) : null
}

/** A sample user, or the user that "Someone else" with this email address would be. */
export function signInByEmail(email: string, page: Subjects): SimulatedSignIn {
  const known = SAMPLE_USERS.find((user) => user.email === email.toLowerCase())
  if (known) {
    return signInAs(known, page)
  }
  return {
    sub: page.subject(subjectOf(email)),
    email,
    emailVerified: true,
    name: null,
    workspace: null,
    directory: null,
    picture: null,
    failsAt: null,
  }
}

/** The email address is not validated: clients of a provider must handle any value. */
function otherUser(form: URLSearchParams, page: Subjects): SimulatedSignIn | null {
  const email = form.get('email')
  if (!email) {
    return null
  }
  const name = form.get('name') || null
  const sub = form.get('sub') || page.subject(subjectOf(email))
  const workspace = form.get('hd') || null
  const directory = form.get('tid') || null
  return {
    sub,
    email,
    emailVerified: true,
    name,
    workspace,
    directory,
    picture: null,
    failsAt: null,
  }
}

function faultySignIn(which: string | null, page: SignInPage): SimulatedSignIn | null {
  const [first] = SAMPLE_USERS
  const fault = page.faults.find(({ value }) => value === which)?.value
  if (!first || !fault) {
    return null
  }
  const signIn = signInAs(first, page)
  if (fault !== 'user_upsert') {
    return withFault(signIn, fault)
  }
  return withFault({ ...signIn, email: 'too-long@example.com', name: 'Too Long To Store' }, fault)
}

function withFault(signIn: SimulatedSignIn, fault: Fault['value']): SimulatedSignIn {
  switch (fault) {
    case 'token_exchange':
    case 'userinfo':
      return { ...signIn, failsAt: fault }
    case 'email_unverified':
      return { ...signIn, emailVerified: false }
    case 'user_upsert':
      return { ...signIn, sub: '3'.repeat(300) }
  }
}

interface Choice {
  /** The host that the browser returns to. */
  readonly host: string
  finish(signIn: SimulatedSignIn | 'cancelled'): Promise<void> | void
}

/** GET shows the account chooser, unless a test has chosen by cookie; POST is the user's choice. */
export async function choose(
  page: SignInPage,
  req: IncomingMessage,
  res: ServerResponse,
  choice: Choice,
): Promise<void> {
  const { host, finish } = choice
  if (req.method !== 'POST') {
    return showPage(page, req, res, choice)
  }

  const signIn = readChoice(await readForm(req), page)
  if (signIn !== null) {
    return finish(signIn)
  }
  const problem = 'Choose an account, or enter an email address.'
  return sendPage(res, 400, chooserPage(page, { host, problem }))
}

async function showPage(
  page: SignInPage,
  req: IncomingMessage,
  res: ServerResponse,
  { host, finish }: Choice,
): Promise<void> {
  const preselected = readPreselectedUser(req.headers.cookie)
  if (preselected === 'invalid') {
    return sendPage(res, 400, errorPage(page, INVALID_PRESELECTED_USER))
  }
  if (preselected === null) {
    return sendPage(res, 200, chooserPage(page, { host }))
  }

  const signIn = preselectedSignIn(preselected, page)
  if (signIn === null) {
    return sendPage(res, 400, errorPage(page, cannotFail(page, preselected.outcome)))
  }
  return finish(signIn)
}

function cannotFail({ title, faults }: SignInPage, outcome: string | null): string {
  const outcomes = ['deny', ...faults.map(({ value }) => value)].join(', ')
  return `${title} can’t fail with "${outcome}". Use one of: ${outcomes}.`
}

export async function sendPage(
  res: ServerResponse,
  status: number,
  page: ReturnType<typeof errorPage>,
): Promise<void> {
  res.writeHead(status, PAGE_HEADERS).end(String(await page))
}

const ENTRIES_MAX = 1_000

/** A map of the newest 1,000 entries. */
export class Newest<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    this.delete(key)
    super.set(key, value)
    for (const oldest of this.keys()) {
      if (this.size <= ENTRIES_MAX) {
        break
      }
      this.delete(oldest)
    }
    return this
  }
}

const FORM_MAX_BYTES = 16 * 1024

export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > FORM_MAX_BYTES) {
      throw new Error('The form is too large.')
    }
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

// A stand-in knows no client of an owner, so it accepts every client id, and lets the secret decide.

/** A secret that starts with `wrong` is refused, so that an owner can see what a mistyped one does. */
export const isAcceptedSecret = (secret: string): boolean =>
  secret !== '' && !secret.startsWith('wrong')

export function isAcceptedRedirectUri(redirectUri: string): boolean {
  const url = URL.parse(redirectUri)
  return (
    url !== null &&
    url.hash === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)))
  )
}

export function loopbackUrl(title: string, address: string): URL {
  const url = new URL(address)
  const web = url.protocol === 'http:' || url.protocol === 'https:'
  if (!web || !isLoopback(url)) {
    throw new Error(
      `The development ${title} checks no credentials, so it runs on localhost only, not at ${address}.`,
    )
  }
  return url
}
