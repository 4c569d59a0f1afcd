import type { User } from '../../sdk/src/index.ts'
import { type Html, html } from './html.ts'
import { NOTE_MAX_CHARACTERS, type Note } from './notebook.ts'

export interface Visitor {
  readonly user: User | null
  /** This request refreshed the session. */
  readonly renewed: boolean
}

interface Frame {
  readonly title: string
  readonly visitor: Visitor
  readonly body: Html
}

export function frame({ title, visitor, body }: Frame): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Notes</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header>
<a class="name" href="/"><img src="/icon.svg" alt="" width="28" height="28">Notes</a>
${visitor.user === null ? null : userMenu(visitor.user)}
</header>
<main>${body}</main>
<footer>${visitor.renewed ? html`<p class="renewed" role="status">Your session was renewed. You don't have to do anything.</p>` : null}
<p>An example app. Notes are kept in memory and are lost when it stops.</p></footer>
</body>
</html>
`.html
}

const userMenu = (user: User): Html => html`<div class="who">
<span class="initial" aria-hidden="true">${(user.name ?? user.email).slice(0, 1).toUpperCase()}</span>
<span class="person"><strong>${user.name ?? user.email}</strong><span>${user.email}</span></span>
<form method="post" action="/logout"><button class="quiet">Sign out</button></form>
</div>`

const signIn = (returnTo: string): Html =>
  html`<a class="button" href="/login?return_to=${encodeURIComponent(returnTo)}">Sign in with Google</a>`

export const homePage = ({ user }: Visitor): Html => html`<section class="hero">
<h1>A quiet place for short notes</h1>
<p class="lead">Write short notes and find them again. Only you can read them.</p>
${user === null ? signIn('/notes') : html`<a class="button" href="/notes">Open my notes</a>`}
</section>`

export const notesPage = (notes: readonly Note[]): Html => html`<h1>My notes</h1>
<form class="write" method="post" action="/notes">
<label for="text">New note</label>
<textarea id="text" name="text" rows="3" maxlength="${NOTE_MAX_CHARACTERS}" required></textarea>
<button>Save note</button>
</form>
${
  notes.length === 0
    ? html`<p class="empty">No notes yet.</p>`
    : html`<ul class="notes">${notes.map((note) => html`<li>${card(note)}</li>`)}</ul>`
}`

export const notePage = (note: Note): Html => html`<h1>Note ${note.id}</h1>
<div class="notes">${card(note)}</div>
<p><a href="/notes">All my notes</a></p>`

const DATE_FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

const card = ({ id, text, writtenAt }: Note): Html => html`<article>
<p class="text">${text}</p>
<div class="foot"><a href="/notes/${id}"><time datetime="${writtenAt.toISOString()}">${DATE_FORMAT.format(writtenAt)}</time></a>
<form method="post" action="/notes/${id}/delete"><button class="quiet" aria-label="Delete note ${id}">Delete</button></form></div>
</article>`

export const problemPage = (
  title: string,
  message: string,
  next: Html,
): Html => html`<section class="hero">
<h1>${title}</h1>
<p class="lead">${message}</p>
${next}
</section>`

export const signInFailedPage = (message: string, returnTo: string): Html =>
  problemPage(
    'You are not signed in',
    message,
    html`${signIn(returnTo)} <a class="quiet" href="/">Home</a>`,
  )
