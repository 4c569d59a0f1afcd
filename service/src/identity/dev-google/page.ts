import { html } from 'hono/html'
import { initials, PEOPLE, type Person } from './people.ts'
import { BREAKAGES } from './visit.ts'

/**
 * No script, no frame, nothing from elsewhere. There is no `form-action`: Chromium applies it to the redirect that
 * follows a form post, and ours leads to whichever app is being signed in to.
 */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const

type Html = ReturnType<typeof html>

interface Chooser {
  /** Where the provider is mounted, with its trailing slash. */
  readonly mountPath: string
  /** The host the browser goes back to. */
  readonly host: string
  readonly problem?: string
}

export const chooserPage = ({ mountPath, host, problem }: Chooser) =>
  layout(
    mountPath,
    'Choose an account',
    html`
      <h1>Choose an account</h1>
      <p class="aside">to continue to <strong>${host}</strong></p>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
      <form method="post">
        <ul class="people">${PEOPLE.map((person) => html`<li>${personButton(mountPath, person)}</li>`)}</ul>
      </form>

      <h2>Someone else</h2>
      <form method="post" class="stranger">
        <label>E-mail <input type="email" name="email" required maxlength="254" autocomplete="off"></label>
        <label>Name <input type="text" name="name" autocomplete="off"></label>
        <details>
          <summary>Be a known person with another e-mail</summary>
          <label>Subject <input type="text" name="sub" autocomplete="off" aria-describedby="sub-help"></label>
          <p class="aside" id="sub-help">The provider’s own id for a person. Left empty, it follows from the e-mail.</p>
        </details>
        <button name="choice" value="someone_else" class="primary">Continue</button>
      </form>

      <form method="post" class="cancel">
        <button name="choice" value="cancel">Cancel</button>
      </form>

      <h2>Break something</h2>
      <p class="aside">Each of these really fails, at the stage it names.</p>
      <form method="post">
        <input type="hidden" name="choice" value="break">
        <ul class="breakages">${BREAKAGES.map(
          ({ value, label, means }) =>
            html`<li><button name="breakage" value="${value}">${label}</button> <span class="aside">${means}</span></li>`,
        )}</ul>
      </form>
    `,
  )

export const errorPage = (mountPath: string, problem: string) =>
  layout(
    mountPath,
    'This sign-in cannot go on',
    html`
      <h1>This sign-in cannot go on</h1>
      <p class="problem">${problem}</p>
      <p>Go back to the app and start again.</p>
    `,
  )

const personButton = (mountPath: string, { id, name, email, portrait }: Person): Html => html`
  <button name="person" value="${id}" class="person">
    ${
      portrait
        ? html`<img src="${mountPath}people/${id}.svg" alt="" width="40" height="40">`
        : html`<span class="faceless" aria-hidden="true">${initials(name)}</span>`
    }
    <span class="who"><span>${name}</span> <span class="aside">${email}</span></span>
  </button>`

const layout = (mountPath: string, title: string, body: Html): Html => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${title} · Development Google</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="stylesheet" href="${mountPath}style.css">
  </head>
  <body>
    <p class="banner">Development Google — nobody is really signed in</p>
    <main>${body}</main>
  </body>
</html>
`
