import { GUEST_LIFETIME_SECONDS, TIER_LIMITS } from '@gatehouse-auth/contract'
import {
  consentPicture,
  copyScript,
  docsStylesheet,
  sizeOf,
  socialPicture,
} from '../pages/assets.ts'
import { commandBlock, fileBlock } from '../pages/elements.ts'
import { layout, script } from '../pages/layout.ts'
import { type Html, html, pageText } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { installSdk, localTools } from '../pages/package-commands.ts'
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
    body: pageText('home')({
      title: TITLE,
      quick_start_class: development ? 'button quiet' : 'button',
      second_button: development
        ? tryItButton()
        : html`<a class="button quiet" href="/docs">Documentation</a>`,
      guest_hours: GUEST_HOURS,
      guest_events: GUEST_EVENTS,
      picture_dark: consentPicture.dark.path,
      picture_light: consentPicture.light.path,
      picture_width: PICTURE.width / 2,
      picture_height: PICTURE.height / 2,
      development: development && pageText('development')(),
      base_url: baseUrl,
      sdk_line: fileBlock('server.js', null, highlight(SDK_LINE, 'js')),
      commands: commandBlock(
        'Commands: create a project and add the SDK',
        `${localTools(baseUrl)} init --framework express
${installSdk('express')}
node server.js`,
      ),
    }),
  })

const SDK_LINE = `import { gatehouse, userOf } from '@gatehouse-auth/sdk/express'

app.use(gatehouse({ client, protect: ['/notes'] }))
app.get('/notes', (req, res) => res.send('Hello, ' + userOf(req).name))`
