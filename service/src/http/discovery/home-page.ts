import { API_VERSION, GUEST_LIFETIME_SECONDS, loginUrl, TIER_LIMITS } from '@gatehouse/contract'
import { commandBlock } from '../pages/code.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import { tryItButton } from './try-it-page.ts'

export interface Home {
  readonly baseUrl: string
  /** No Google client is configured, so sign-in uses the development Google. */
  readonly development: boolean
  /** Why this instance is not ready; empty when it is. */
  readonly problems: readonly string[]
}

const GUEST_HOURS = GUEST_LIFETIME_SECONDS / 3_600
const GUEST_EVENTS = TIER_LIMITS.ephemeral.eventsPerLifetime

export const homePage = ({ baseUrl, development, problems }: Home): Html =>
  layout({
    kind: 'reading',
    title: 'Sign in with Google, for any app',
    body: html`
      <h1>Sign in with Google, for any app</h1>
      <p class="lead">Gatehouse runs “Sign in with Google” for your app. You don’t need to set anything up in Google’s console: three calls, and people can sign in.</p>
      ${development && developmentNotice(baseUrl)}
      ${development && tryItButton()}
      <div class="columns">
        <section class="card">
          <h2>For a coding agent</h2>
          <ul>
            <li>You don’t need an account or an approval to start.</li>
            <li>Keep the keys in <code>.service</code>, out of version control, logs and browsers.</li>
            <li>A new tenant is a trial: ${GUEST_HOURS} hours, ${GUEST_EVENTS} sign-in events, until a person claims it.</li>
            <li>Every error is JSON with <a href="/docs/errors">a stable code</a>.</li>
          </ul>
          <p>Read <a href="/llms.txt">llms.txt</a>, or connect to the <a href="/docs/mcp">MCP server</a> at <code>${baseUrl}/mcp</code>.</p>
        </section>
        <section class="card">
          <h2>For a person</h2>
          <ul>
            <li>You choose your Google account. Your password stays with Google.</li>
            <li>Before anything is shared, we show you the app’s address and ask you.</li>
            <li>The app sees your name, email address and profile picture, and nothing else.</li>
            <li>You return to the app, signed in. If you cancel, the app learns nothing about you.</li>
          </ul>
          <p>Building an app? Start with the <a href="/docs/quick-start">quick start</a>. Own one? Go to <a href="/account">your projects</a>.</p>
        </section>
      </div>
      <h2>The first three calls</h2>
      <ol class="steps">
        <li>
          <h3>Create a project</h3>
          <p>In the API, a project is a <em>tenant</em>. The response is its credentials file; the command never overwrites an existing one. Name your agent with <code>-A</code>: a <code>User-Agent</code> that contains <code>curl</code> is rejected.</p>
          ${commandBlock('Command: create a project', createTenant(baseUrl))}
        </li>
        <li>
          <h3>Register a callback</h3>
          <p>The URL in your app that people return to. Each call replaces the whole list.</p>
          ${commandBlock('Command: register a callback', registerCallback(baseUrl))}
        </li>
        <li>
          <h3>Open the login link</h3>
          <p>It’s the <code>login_url</code> in the response. Link your sign-in button to it.</p>
          ${commandBlock('The login link', loginUrl(baseUrl, '<tenant_id>'))}
          <p>The browser returns to your callback with <code>access_token</code> and <code>refresh_token</code>. To see who signed in, send the access token to <code>POST /edge/auth/&lt;tenant_id&gt;/verify</code>.</p>
        </li>
      </ol>
      <p>Next, read the <a href="/docs">documentation</a>: <a href="/docs/recipes">recipes</a> for the callback, <a href="/docs/sessions">sessions</a>, <a href="/docs/callbacks">callbacks</a>, <a href="/docs/limits">limits</a>, and <a href="/docs/api">every operation</a> of <a href="/openapi.json">the API</a>.</p>
      ${status(problems)}
    `,
  })

const status = (problems: readonly string[]): Html => html`<h2>Status of this instance</h2>
<p class="${problems.length === 0 ? 'status' : 'status warn'}">
  <strong>${problems.length === 0 ? 'Ready' : 'Not ready'}</strong>
  <span>${problems.length === 0 ? 'Accepting traffic.' : `${problems.join('; ')}.`}</span>
  <span>API version ${API_VERSION}</span>
</p>`

// The file is readable by its owner only. An existing file belongs to another tenant and must not be overwritten.
const createTenant = (baseUrl: string): string =>
  `[ -e .service ] || (umask 077; curl -fsS -A my-agent -X POST \\
  -H 'Accept: text/plain' -o .service \\
  ${baseUrl}/api/genesis)`

const registerCallback = (baseUrl: string): string =>
  `curl -sS -X POST ${baseUrl}/api/resources/social-login \\
  -H "Authorization: Bearer $(sed -n 's/^coh_management_key=//p' .service)" \\
  -H 'Content-Type: application/json' \\
  -d '{"callback_urls":["http://localhost:3000/auth/callback"]}'`

const developmentNotice = (baseUrl: string): Html => html`<section class="notice" aria-labelledby="development">
  <h2 id="development">Development mode</h2>
  <p>Sign-in uses a built-in stand-in for Google, with sample accounts. To use Google, set <code>GOOGLE_CLIENT_ID</code> and <code>GOOGLE_CLIENT_SECRET</code>, register <code>${baseUrl}/auth/google/callback</code> as a redirect URI at Google, and restart.</p>
</section>`
