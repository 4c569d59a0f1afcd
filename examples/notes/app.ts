import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Client,
  GatehouseError,
  handleCallback,
  handleLogout,
  readCallbackError,
  redirectToRetry,
  startLogin,
  type User,
} from '../../sdk/src/index.ts'
import { nodeHandler, nodeSession, sendResponse, toRequest } from '../../sdk/src/node.ts'
import { html } from './html.ts'
import { isCrossOrigin, readForm, redirectTo, sendPage } from './http.ts'
import { Notebook } from './notebook.ts'
import {
  frame,
  homePage,
  notePage,
  notesPage,
  problemPage,
  signInFailedPage,
  type Visitor,
} from './pages.ts'

const ASSETS: Readonly<Record<string, string>> = {
  '/style.css': 'text/css',
  '/icon.svg': 'image/svg+xml',
}
const SIGNED_OUT: Visitor = { user: null, renewed: false }

type Listener = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** All routes of the app. */
export function notesApp(client: Client): Listener {
  const notebook = new Notebook()
  const login = nodeHandler((request) => startLogin(request, { client, home: '/notes' }))
  const logout = nodeHandler((request) => handleLogout(request, { client }))
  const callback = nodeHandler((request) =>
    handleCallback(request, { client, home: '/notes', errorPath: '/sign-in-failed' }),
  )

  /** The routes that need no session; the others are `withSession`. */
  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(toRequest(req).url)
    const { pathname } = url
    const route = `${req.method === 'HEAD' ? 'GET' : req.method} ${pathname}`
    const asset = ASSETS[pathname]
    if (asset !== undefined) {
      return sendAsset(res, pathname, asset)
    }
    if (pathname === '/callback') {
      return callback(req, res)
    }
    if (route === 'GET /login') {
      return login(req, res)
    }
    if (pathname === '/logout') {
      return logout(req, res)
    }
    if (route === 'GET /sign-in-failed') {
      return signInFailed(res, url.searchParams)
    }
    if (req.method === 'POST' && isCrossOrigin(req)) {
      return notFound(res)
    }
    return withSession(req, res, route, url)
  }

  async function withSession(
    req: IncomingMessage,
    res: ServerResponse,
    route: string,
    { pathname, search }: URL,
  ): Promise<void> {
    const session = await nodeSession(client, req, res)
    if (session.status === 'superseded') {
      return sendResponse(await redirectToRetry(toRequest(req)), res)
    }
    const visitor: Visitor = { user: session.user, renewed: session.tokens !== null }
    if (route === 'GET /') {
      return sendPage(res, 200, frame({ title: 'Welcome', visitor, body: homePage(visitor) }))
    }
    if (!/^\/notes(\/|$)/.test(pathname)) {
      return notFound(res, visitor)
    }
    if (session.user === null) {
      // After signing in, the user continues at this URL.
      const returnTo = req.method === 'GET' ? pathname + search : '/notes'
      return redirectTo(res, `/login?return_to=${encodeURIComponent(returnTo)}`)
    }
    return notes(req, res, { route, user: session.user, visitor })
  }

  async function notes(
    req: IncomingMessage,
    res: ServerResponse,
    { route, user, visitor }: { route: string; user: User; visitor: Visitor },
  ): Promise<void> {
    const id = Number(/^\w+ \/notes\/(\d{1,9})(?:\/delete)?$/.exec(route)?.[1])
    if (route === 'GET /notes') {
      return sendPage(
        res,
        200,
        frame({ title: 'My notes', visitor, body: notesPage(notebook.of(user.id)) }),
      )
    }
    if (route === 'POST /notes') {
      const form = await readForm(req)
      if (form === null) {
        return redirectTo(res, '/notes')
      }
      notebook.add(user.id, form.get('text') ?? '')
      return redirectTo(res, '/notes')
    }
    if (route === `POST /notes/${id}/delete`) {
      notebook.remove(user.id, id)
      return redirectTo(res, '/notes')
    }
    const note = route === `GET /notes/${id}` ? notebook.find(user.id, id) : null
    if (note === null) {
      return notFound(res, visitor)
    }
    return sendPage(res, 200, frame({ title: `Note ${id}`, visitor, body: notePage(note) }))
  }

  return async (req, res) => {
    try {
      await handle(req, res)
    } catch (error) {
      if (res.headersSent) {
        return void res.destroy()
      }
      // An outage of the service must not sign the user out: the cookies are kept.
      const [status, message] = problemOf(error)
      const body = problemPage(
        'Please try again',
        message,
        html`<a class="button" href="">Try again</a>`,
      )
      sendPage(res, status, frame({ title: 'Please try again', visitor: SIGNED_OUT, body }))
    }
  }
}

function signInFailed(res: ServerResponse, query: URLSearchParams): void {
  const problem = readCallbackError(query.get('error')) ?? { message: 'Please sign in.' }
  const body = signInFailedPage(problem.message, query.get('return_to') ?? '/notes')
  sendPage(res, 200, frame({ title: 'Not signed in', visitor: SIGNED_OUT, body }))
}

function problemOf(error: unknown): readonly [status: number, message: string] {
  if (!(error instanceof GatehouseError)) {
    return [500, 'Something went wrong on our side.']
  }
  if (error.retryable) {
    return [503, "We can't check your session right now. You are still signed in."]
  }
  return [503, `Sign-in isn't available right now. ${error.message}`]
}

function notFound(res: ServerResponse, visitor: Visitor = SIGNED_OUT): void {
  const home = html`<a class="button" href="/">Home</a>`
  const body = problemPage('Page not found', "The note was deleted, or it isn't yours.", home)
  sendPage(res, 404, frame({ title: 'Not found', visitor, body }))
}

async function sendAsset(res: ServerResponse, path: string, type: string): Promise<void> {
  const content = await readFile(new URL(`.${path}`, import.meta.url))
  res.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'max-age=300' }).end(content)
}
