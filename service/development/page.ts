import { html } from 'hono/html'
import type { PreselectedUser } from '../src/domain/login/preselected-user.ts'
import { initials, SAMPLE_USERS, type SampleUser } from './sample-users.ts'

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

const layout = (
  { title: provider, mountPath }: SignInPage,
  title: string,
  body: Html,
): Html => html`<!doctype html>
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

/** A button under "Break something". */
export interface Fault {
  readonly value: Exclude<NonNullable<PreselectedUser['outcome']>, 'deny'>
  readonly label: string
  readonly effect: string
}

/** What the page of a stand-in offers. */
export interface SignInPageSettings {
  /** The name of the provider: "Development Google". */
  readonly title: string
  readonly faults: readonly Fault[]
  /** The input for the organization of "Someone else". null: the provider has none. */
  readonly organization: { readonly field: 'hd' | 'tid'; readonly label: string } | null
  /** The provider's form of a sample user's subject, or of one that is derived from an email address. */
  subject(sub: string): string
}

export interface SignInPage extends SignInPageSettings {
  /** Where the stand-in is mounted, without a trailing slash. */
  readonly url: string
  /** The path prefix of the stand-in, with a trailing slash. */
  readonly mountPath: string
}

export const signInPage = (settings: SignInPageSettings, url: string): SignInPage => ({
  title: settings.title,
  faults: settings.faults,
  organization: settings.organization,
  subject: settings.subject,
  url,
  mountPath: `${new URL(url).pathname.replace(/\/$/, '')}/`,
})

export const TOKEN_EXCHANGE_FAILS: Fault = {
  value: 'token_exchange',
  label: 'Token exchange fails',
  effect: 'The token endpoint rejects the code.',
}
export const USERINFO_FAILS: Fault = {
  value: 'userinfo',
  label: 'Userinfo fails',
  effect: 'The userinfo endpoint responds with 500.',
}
export const EMAIL_NOT_VERIFIED: Fault = {
  value: 'email_unverified',
  label: 'Email not verified',
  effect: 'Ada signs in with email_verified: false.',
}
export const USER_NOT_STORED: Fault = {
  value: 'user_upsert',
  label: 'User can’t be stored',
  effect: 'A user signs in with a subject of 300 characters.',
}
