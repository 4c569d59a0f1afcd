import { html } from 'hono/html'
import { initials, SAMPLE_USERS, type SampleUser } from './sample-users.ts'
import type { SignInPage } from './sign-in-page.ts'

/**
 * No script, no framing, no third-party resource. There is no `form-action`: Chromium applies it to the redirect after a
 * form post, which leads to the app's callback.
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
  /** The host that the browser returns to. */
  readonly host: string
  readonly problem?: string
}

export const chooserPage = (page: SignInPage, { host, problem }: Chooser) =>
  layout(
    page,
    'Choose an account',
    html`
      <h1>Choose an account</h1>
      <p class="aside">to continue to <strong>${host}</strong></p>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
      <form method="post">
        <ul class="people">${SAMPLE_USERS.map((user) => html`<li>${userButton(page.mountPath, user)}</li>`)}</ul>
      </form>

      <h2>Someone else</h2>
      <form method="post" class="stranger">
        <label>Email <input type="email" name="email" required maxlength="254" autocomplete="off"></label>
        <label>Name <input type="text" name="name" autocomplete="off"></label>
        ${organizationInput(page)}
        <details>
          <summary>Use an existing account with another email</summary>
          <label>Subject <input type="text" name="sub" autocomplete="off" aria-describedby="sub-help"></label>
          <p class="aside" id="sub-help">The provider’s own id for the account. If empty, it’s derived from the email.</p>
        </details>
        <button name="choice" value="someone_else" class="primary">Continue</button>
      </form>

      <form method="post" class="cancel">
        <button name="choice" value="cancel">Cancel</button>
      </form>

      <h2>Break something</h2>
      <p class="aside">Each button makes the sign-in fail at the stage it names.</p>
      <form method="post">
        <input type="hidden" name="choice" value="break">
        <ul class="breakages">${page.faults.map(
          ({ value, label, effect }) =>
            html`<li><button name="breakage" value="${value}">${label}</button> <span class="aside">${effect}</span></li>`,
        )}</ul>
      </form>
    `,
  )

export const errorPage = (page: SignInPage, problem: string) =>
  layout(
    page,
    'This sign-in can’t continue',
    html`
      <h1>This sign-in can’t continue</h1>
      <p class="problem">${problem}</p>
      <p>Go back to the app and start again.</p>
    `,
  )

const organizationInput = ({ organization }: SignInPage): Html | string =>
  organization === null
    ? ''
    : html`<label>${organization.label} <input type="text" name="${organization.field}" autocomplete="off"></label>`

const userButton = (mountPath: string, { id, name, email, portrait }: SampleUser): Html => html`
  <button name="person" value="${id}" class="person">
    ${
      portrait
        ? html`<img src="${mountPath}people/${id}.svg" alt="" width="40" height="40">`
        : html`<span class="faceless" aria-hidden="true">${initials(name)}</span>`
    }
    <span class="who"><span>${name}</span> <span class="aside">${email}</span></span>
  </button>`

const layout = ({ title: provider, mountPath }: SignInPage, title: string, body: Html): Html => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${title} · Development ${provider}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="stylesheet" href="${mountPath}style.css">
  </head>
  <body>
    <header class="banner">Development ${provider}: no real accounts</header>
    <main>${body}</main>
  </body>
</html>
`
