import { GUEST_LIFETIME_SECONDS, TIER_LIMITS } from '@gatehouse/contract'
import { readInstalled } from '../../folders.ts'
import { consentPicture, copyScript, docsStylesheet, sizeOf, socialPicture } from '../pages/assets.ts'
import { commandBlock, fileBlock } from '../pages/elements.ts'
import { layout, script } from '../pages/layout.ts'
import { fileTemplate, type Html, html } from '../pages/markup.ts'
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
${fileTemplate(readInstalled('content', 'pages/home.tmpl').toString(), {
  base_url: baseUrl,
  sdk_line: fileBlock('server.js', null, highlight(SDK_LINE, 'js')),
  commands: commandBlock(
    'Commands: create a project and add the SDK',
    `npx ${baseUrl}/packages/local.tgz init --framework express
npm install ${baseUrl}/packages/sdk.tgz express
node server.js`,
  ),
})}`,
  })

const SDK_LINE = `import { gatehouse, userOf } from '@gatehouse/sdk/express'

app.use(gatehouse({ client, protect: ['/notes'] }))
app.get('/notes', (req, res) => res.send('Hello, ' + userOf(req).name))`

const DEVELOPMENT_NOTICE = html`<section class="notice" aria-labelledby="development">
<h2 id="development">Development mode</h2>
<p>Sign-in uses a built-in stand-in for Google, with sample accounts. To use Google, <a href="/docs/self-hosting#settings">set a client</a>.</p>
</section>`
