import { GUEST_LIFETIME_SECONDS, TIER_LIMITS } from '@gatehouse/contract'
import { consentPicture, copyScript, docsStylesheet, sizeOf, socialPicture } from '../../pages/assets.ts'
import { commandBlock, fileBlock } from '../../pages/code.ts'
import { layout, script } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { highlight } from '../docs/highlight.ts'
import { tryItButton } from '../try-it/try-it-page.ts'

export interface Home {
  readonly operator: Operator
  readonly baseUrl: string
  /** No Google client is configured, so sign-in uses the development Google. */
  readonly development: boolean
}

const GUEST_HOURS = GUEST_LIFETIME_SECONDS / 3_600
const GUEST_EVENTS = TIER_LIMITS.ephemeral.eventsPerLifetime

const PICTURE = sizeOf(consentPicture.light)

const TITLE = 'Sign in with Google, for any app'
const DESCRIPTION =
  'Add “Sign in with Google” to your app with one command and one import. Nothing to set up in Google’s console, and a coding agent can do all of it.'

export const homePage = ({ baseUrl, development, operator }: Home): Html =>
  layout({
    kind: 'reading',
    operator,
    title: TITLE,
    head: html`<meta name="description" content="${DESCRIPTION}">
<meta property="og:type" content="website">
<meta property="og:url" content="${baseUrl}/">
<meta property="og:title" content="${TITLE} · Gatehouse">
<meta property="og:description" content="${DESCRIPTION}">
<meta property="og:image" content="${baseUrl}${socialPicture.path}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
<link rel="canonical" href="${baseUrl}/">
<link rel="stylesheet" href="${docsStylesheet.path}">
${script(copyScript)}`,
    body: html`
      <div class="hero">
        <div>
          <h1>${TITLE}</h1>
          <p class="lead">Gatehouse runs the sign-in, the consent page and the sessions of your app. Nothing to set up in Google’s console: one command, one import, and your users are in.</p>
          <div class="actions">
            <a class="button${development && ' quiet'}" href="/docs/quick-start">Quick start</a>
            ${development ? tryItButton() : html`<a class="button quiet" href="/docs">Documentation</a>`}
          </div>
          <p class="small-print">No account needed. A new project is a trial of ${GUEST_HOURS} hours and ${GUEST_EVENTS} sign-in events, until a person claims it.</p>
        </div>
        <figure class="picture">
          <picture>
            <source srcset="${consentPicture.dark.path}" media="(prefers-color-scheme: dark)">
            <img src="${consentPicture.light.path}" width="${PICTURE.width / 2}" height="${PICTURE.height / 2}" alt="The consent page: “Sign in to notes.example.com?”, the account of Ada Lovelace, what the app will see, and the buttons Continue and Cancel.">
          </picture>
          <figcaption>What your users see, after they choose their Google account.</figcaption>
        </figure>
      </div>
      ${development && developmentNotice(baseUrl)}
      <h2>Paste this to your agent</h2>
      <p>Claude Code, Codex, Cursor or any other agent that can run commands:</p>
      <div class="code"><pre class="command prompt" tabindex="0" role="region" aria-label="Prompt for a coding agent"><code>Add “Sign in with Google” to this app. Read ${baseUrl}/llms.txt and follow it. Keep the keys in .service, and ask me before you create a project.</code></pre></div>
      <p>Or connect it to the MCP server: <a href="/docs/mcp#add-it-to-your-agent">one line for each agent</a>.</p>
      <h2>Or two commands</h2>
      <p>Both packages come from this service. You need Node 20 or newer; the SDK has no dependencies.</p>
      ${commandBlock('Commands: create a project and add the SDK', highlight(`npx ${baseUrl}/packages/local.tgz init --framework express\nnpm install ${baseUrl}/packages/sdk.tgz express\nnode server.js`, 'sh'))}
      <p>The first one writes the project’s keys to <code>.service</code>, out of version control, and the files of a small app that is tested with your framework: <code>node</code>, <code>express</code>, <code>hono</code>, <code>fastify</code>, <code>next</code>, <code>sveltekit</code> or <code>react-router</code>. Existing files stay as they are. Sign-in is one line of it:</p>
      ${fileBlock('server.js', null, highlight(SDK_LINE, 'js'))}
      <p>Open <code>http://localhost:3000</code> and press “Sign in with Google”: the app greets you by name. <a href="/docs/recipes">Read the files</a> of each framework first, if you like. (In the API, a project is a <em>tenant</em>.)</p>
      <h2>The raw calls</h2>
      <p>No SDK for your language? It’s three requests. <code>-A</code> names your agent, because one called curl may not create projects.</p>
      ${commandBlock('The three calls with curl', highlight(rawCalls(baseUrl), 'sh'))}
      <p>The <a href="/docs/quick-start#by-hand-with-curl">quick start</a> goes through them, and the <a href="/docs/api">API reference</a> has <a href="/openapi.json">every operation</a>.</p>
      <div class="columns">
        <section class="card">
          <h2>For developers</h2>
          <ul>
            <li><a href="/docs/sdk">SDK and command line</a>: cookies, refresh, tabs and lost responses done right.</li>
            <li><a href="/docs/webhooks">Webhooks</a>, <a href="/docs/users">users</a>, <a href="/docs/events">events</a> and <a href="/docs/providers">more providers</a>, when you need them.</li>
            <li><a href="/docs/errors">Every error</a> has a stable code, its cause and the fix.</li>
            <li>For agents: <a href="/llms.txt">llms.txt</a> and the <a href="/docs/mcp">MCP server</a> at <code>${baseUrl}/mcp</code>.</li>
          </ul>
          <p>Own a project? Go to <a href="/account">your projects</a>.</p>
        </section>
        <section class="card">
          <h2>For people who sign in</h2>
          <ul>
            <li>You choose your Google account. Your password stays with Google.</li>
            <li>Before anything is shared, we show you the app’s address and ask you.</li>
            <li>The app sees your name, email address and profile picture, and nothing else.</li>
            <li>If you cancel, the app learns nothing about you.</li>
          </ul>
          <p>See the apps you signed in to, and have your data removed: <a href="/me">Your data</a>.</p>
        </section>
      </div>
    `,
  })

const SDK_LINE = `import { gatehouse, userOf } from '@gatehouse/sdk/express'

app.use(gatehouse({ client, protect: ['/notes'] }))
app.get('/notes', (req, res) => res.send('Hello, ' + userOf(req).name))`

const rawCalls = (baseUrl: string): string => `# 1. A project: its keys go to .service
curl -fsS -A my-agent -X POST -H 'Accept: text/plain' \\
  -o .service ${baseUrl}/api/genesis

# 2. Where users return to: the response has the link of your sign-in button
curl -fsS ${baseUrl}/api/resources/social-login \\
  -H "Authorization: Bearer $(sed -n 's/^coh_management_key=//p' .service)" \\
  -H 'Content-Type: application/json' \\
  -d '{"callback_urls":["http://localhost:3000/auth/callback"]}'

# 3. Who is it? With the token that your callback got
curl -fsS ${baseUrl}/edge/auth/$TENANT/verify \\
  -H 'Content-Type: application/json' -d "{\\"access_token\\":\\"$ACCESS_TOKEN\\"}"`

const developmentNotice = (baseUrl: string): Html => html`<section class="notice" aria-labelledby="development">
  <h2 id="development">Development mode</h2>
  <p>Sign-in uses a built-in stand-in for Google, with sample accounts. To use Google, set <code>GOOGLE_CLIENT_ID</code> and <code>GOOGLE_CLIENT_SECRET</code>, register <code>${baseUrl}/auth/google/callback</code> as a redirect URI at Google, and restart.</p>
</section>`
