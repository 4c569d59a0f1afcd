import { GUEST_LIFETIME_SECONDS, TIER_LIMITS } from '@gatehouse/contract'
import { consentPicture, copyScript, docsStylesheet, sizeOf, socialPicture } from '../pages/assets.ts'
import { commandBlock, fileBlock } from '../pages/elements.ts'
import { layout, script } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { highlight } from './docs/highlight.ts'
import { tryItButton } from './try-it.ts'

interface Home {
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
  'Add “Sign in with Google” to your app with one command and one import, without Google’s console. A coding agent can do all of it.'

export const homePage = ({ baseUrl, development, operator }: Home): Html =>
  layout({
    kind: 'reading',
    operator,
    title: TITLE,
    head: html`<meta name="description" content="${DESCRIPTION}">
<meta property="og:title" content="${TITLE} · Gatehouse">
<meta property="og:image" content="${baseUrl}${socialPicture.path}">
<meta name="twitter:card" content="summary_large_image">
<link rel="canonical" href="${baseUrl}/">
<link rel="stylesheet" href="${docsStylesheet.path}">
${script(copyScript)}`,
    body: html`<div class="hero">
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
<img src="${consentPicture.light.path}" width="${PICTURE.width / 2}" height="${PICTURE.height / 2}" alt="The consent page: “Sign in to notes.example.com?”, what the app will see, Continue and Cancel.">
</picture>
<figcaption>What your users see.</figcaption>
</figure>
</div>
${development && DEVELOPMENT_NOTICE}
<h2>Paste this to your agent</h2>
<p>Claude Code, Codex, Cursor or any agent that can run commands:</p>
<div class="code"><pre class="command prompt" tabindex="0" role="region" aria-label="Prompt for a coding agent"><code>Add “Sign in with Google” to this app. Read ${baseUrl}/llms.txt and follow it. Keep the keys in .service, and ask me before you create a project.</code></pre></div>
<p>Or connect it to the MCP server: <a href="/docs/mcp#add-it-to-your-agent">one line for each agent</a>.</p>
<h2>Or in your terminal</h2>
<p>With Node 20 or newer. Both packages come from this service.</p>
${commandBlock(
  'Commands: create a project and add the SDK',
  html`npx ${baseUrl}/packages/local.tgz init --framework express
npm install ${baseUrl}/packages/sdk.tgz express
node server.js`,
)}
<p>The first one writes the project’s keys to <code>.service</code>, out of version control, and a small app. In the folder of your own app, leave out <code>--framework</code>: it recognizes <a href="/docs/recipes">your framework</a> and prints the lines to add. Sign-in is one of them:</p>
${fileBlock('server.js', null, highlight(SDK_LINE, 'js'))}
<p>Open <code>http://localhost:3000</code> and press “Sign in with Google”: the app greets you by name.</p>
<p>Django, FastAPI, Flask, Go, PHP or Ruby? The same command writes one file. Another language? <a href="/docs/recipes/http">Three requests</a>, also <a href="/docs/quick-start#by-hand-with-curl">with curl</a>.</p>
<div class="columns">
<section class="card">
<h2>For developers</h2>
<ul>
<li><a href="/docs/sdk">SDK and command line</a>: cookies, refresh, tabs and lost responses done right.</li>
<li><a href="/docs/webhooks">Webhooks</a>, <a href="/docs/users">users</a>, <a href="/docs/events">events</a> and <a href="/docs/providers">more providers</a>, when you need them.</li>
<li><a href="/docs/errors">Every error</a> has a stable code, its cause and the fix.</li>
<li>For agents: <a href="/llms.txt">llms.txt</a>, <a href="/.well-known/agent-skills/index.json">skills</a> and the <a href="/mcp/server.json">MCP registry entry</a>.</li>
</ul>
</section>
<section class="card">
<h2>For people who sign in</h2>
<ul>
<li>Your password stays with Google.</li>
<li>We show you the app’s address and ask you, before anything is shared.</li>
<li>The app sees your name, email address and profile picture, and nothing else.</li>
</ul>
<p>See the apps you signed in to, and have your data removed: <a href="/me">Your data</a>.</p>
</section>
</div>`,
  })

const SDK_LINE = `import { gatehouse, userOf } from '@gatehouse/sdk/express'

app.use(gatehouse({ client, protect: ['/notes'] }))
app.get('/notes', (req, res) => res.send('Hello, ' + userOf(req).name))`

const DEVELOPMENT_NOTICE = html`<section class="notice" aria-labelledby="development">
<h2 id="development">Development mode</h2>
<p>Sign-in uses a built-in stand-in for Google, with sample accounts. To use Google, <a href="/docs/self-hosting#settings">set a client</a>.</p>
</section>`
