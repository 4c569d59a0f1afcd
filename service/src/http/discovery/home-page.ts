import { API_VERSION, GUEST_LIFETIME_SECONDS, TIER_LIMITS } from '@gatehouse/contract'
import { commandBlock } from '../pages/code.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { tryItButton } from './try-it/try-it-page.ts'

export interface Home {
  readonly operator: Operator
  readonly baseUrl: string
  /** No Google client is configured, so sign-in uses the development Google. */
  readonly development: boolean
  /** Why this instance is not ready; empty when it is. */
  readonly problems: readonly string[]
}

const GUEST_HOURS = GUEST_LIFETIME_SECONDS / 3_600
const GUEST_EVENTS = TIER_LIMITS.ephemeral.eventsPerLifetime

export const homePage = ({ baseUrl, development, problems, operator }: Home): Html =>
  layout({
    kind: 'reading',
    operator,
    title: 'Sign in with Google, for any app',
    body: html`
      <h1>Sign in with Google, for any app</h1>
      <p class="lead">Gatehouse runs “Sign in with Google” for your app. You don’t need to set anything up in Google’s console: one command, then one import.</p>
      ${development && developmentNotice(baseUrl)}
      ${development && tryItButton()}
      <h2>One command, then one import</h2>
      <p>Both packages come from this service. You need Node 20 or newer; the SDK has no dependencies.</p>
      <ol class="steps">
        <li>
          <h3>Create a project</h3>
          <p>Writes the project’s keys to <code>.service</code>, out of version control, and the files of a small app that is tested with your framework: <code>node</code>, <code>express</code>, <code>hono</code>, <code>fastify</code>, <code>next</code>, <code>sveltekit</code> or <code>react-router</code>. Existing files stay as they are. (In the API, a project is a <em>tenant</em>.)</p>
          ${commandBlock('Command: create a project', `npx ${baseUrl}/packages/local.tgz init --framework node`)}
        </li>
        <li>
          <h3>Add the SDK, and sign in</h3>
          <p>Open <code>http://localhost:3000</code> and press “Sign in with Google”. The app greets you by name. <a href="/docs/recipes">Read the files</a> of each framework first, if you like.</p>
          ${commandBlock('Commands: add the SDK', `npm install ${baseUrl}/packages/sdk.tgz\nnode server.js`)}
        </li>
      </ol>
      <p>Next, read the <a href="/docs">documentation</a>: the <a href="/docs/sdk">SDK and the command line</a>, <a href="/docs/sessions">sessions</a>, <a href="/docs/callbacks">callbacks</a>, <a href="/docs/limits">limits</a>, the same <a href="/docs/quick-start#by-hand-with-curl">by hand, with curl</a>, and <a href="/docs/api">every operation</a> of <a href="/openapi.json">the API</a>.</p>
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
      ${status(problems)}
    `,
  })

const status = (problems: readonly string[]): Html => html`<h2>Status of this instance</h2>
<p class="${problems.length === 0 ? 'status' : 'status warn'}">
  <strong>${problems.length === 0 ? 'Ready' : 'Not ready'}</strong>
  <span>${problems.length === 0 ? 'Accepting traffic.' : `${problems.join('; ')}.`}</span>
  <span>API version ${API_VERSION}</span>
</p>`

const developmentNotice = (baseUrl: string): Html => html`<section class="notice" aria-labelledby="development">
  <h2 id="development">Development mode</h2>
  <p>Sign-in uses a built-in stand-in for Google, with sample accounts. To use Google, set <code>GOOGLE_CLIENT_ID</code> and <code>GOOGLE_CLIENT_SECRET</code>, register <code>${baseUrl}/auth/google/callback</code> as a redirect URI at Google, and restart.</p>
</section>`
