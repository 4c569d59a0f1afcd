import { API_VERSION } from '@gatehouse/contract'
import { accepts } from 'hono/accepts'
import { lazy } from '../../domain/lazy.ts'
import { VERSION } from '../../version.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { publicPageHeaders } from '../headers.ts'
import type { Readiness } from '../health.ts'
import { FAVICON, PUBLIC_ASSETS } from '../pages/assets.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { page, wantsPage } from '../responses.ts'
import { homePage } from './home-page.ts'
import { llmsText } from './plain-texts.ts'
import { HTML, MARKDOWN, publish, published } from './publish.ts'

const STATUS_PATH = '/status'

const DAY_SECONDS = 86_400
const MINUTES_5 = 300

/** Links from the front page to the machine-readable descriptions (RFC 8631). */
const LINKS = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  `<${STATUS_PATH}>; rel="status"; type="text/html"`,
  '</llms.txt>; rel="help"; type="text/plain"',
].join(', ')

/**
 * The front page, the status, and the assets of all pages. To a client that prefers Markdown, and to a program that asks for no
 * HTML, such as curl, the front page is llms.txt: a coding agent then reads one document instead of two.
 */
export function publicPages(app: App, { ctx, development, operator }: HttpDependencies, readiness: Readiness): void {
  const instructions = lazy(() => published(llmsText(ctx.baseUrl), MARKDOWN))
  const home = lazy(() => published(String(homePage({ baseUrl: ctx.baseUrl, development, operator })), HTML))
  app.get('/', (c) => {
    c.set('route', '/')
    c.header('Vary', 'Accept', { append: true })
    const wanted = accepts(c, { header: 'Accept', supports: ['text/html', 'text/markdown'], default: 'text/html' })
    if (wanted === 'text/markdown' || !wantsPage(c)) return publish(c, instructions(), MINUTES_5)
    publicPageHeaders(c)
    c.header('Link', LINKS)
    return publish(c, home(), MINUTES_5)
  })

  app.get(STATUS_PATH, async (c) => {
    c.set('route', STATUS_PATH)
    return page(c, statusPage({ operator, development, problems: await readiness(), now: ctx.now() }))
  })

  for (const asset of [...PUBLIC_ASSETS, FAVICON]) {
    app.get(asset.path, (c) => {
      c.set('route', '/assets')
      return publish(c, asset, DAY_SECONDS)
    })
  }
}

interface Status {
  readonly operator: Operator
  /** No Google client is configured, so sign-in uses the development Google. */
  readonly development: boolean
  /** Why this instance is not ready; empty when it is. */
  readonly problems: readonly string[]
  readonly now: number
}

/** For people who can't sign in, and for their developers. Machines read /readyz. */
export const statusPage = ({ operator, development, problems, now }: Status): Html =>
  layout({
    kind: 'reading',
    operator,
    title: 'Status',
    head: html`<meta name="description" content="Whether this service accepts sign-ins right now.">`,
    body: html`
      <h1>Status</h1>
      <p class="${problems.length === 0 ? 'status' : 'status warn'}">
        <strong>${problems.length === 0 ? 'Ready' : 'Not ready'}</strong>
        <span>${problems.length === 0 ? 'Sign-ins, refreshes and the API work.' : `${problems.join('; ')}.`}</span>
      </p>
      ${
        problems.length > 0 &&
        html`<p>New sign-ins may fail until this is over. If you’re signed in to an app, you most likely stay signed in. Try again in a few minutes.</p>`
      }
      <dl class="facts">
        <dt>Checked</dt>
        <dd><time datetime="${new Date(now).toISOString()}">${new Date(now).toUTCString()}</time>, on the instance that answered you. Reload to check again.</dd>
        <dt>Sign-in</dt>
        <dd>${development ? 'A built-in stand-in for Google, with sample accounts: this is a development service.' : 'Google'}</dd>
        <dt>Version</dt>
        <dd>Gatehouse ${VERSION}, API version ${API_VERSION}</dd>
      </dl>
      <h2>If something doesn’t work</h2>
      <ul>
        <li>You can’t sign in to one app: ask the people who run that app. They see why at <a href="/docs/refusals">Why a sign-in did not work</a>.</li>
        <li>You can’t sign in to any app: ${support(operator)}</li>
        <li>You run an app: every error has a code and a request id. Look the code up at <a href="/docs/errors">Errors</a>, and send the request id with <a href="/feedback">your feedback</a>.</li>
      </ul>
      <p class="small-print">For monitoring: <a href="/readyz">/readyz</a> says the same as JSON, with status 503 while the instance isn’t ready; <a href="/healthz">/healthz</a> says that the process runs.</p>
    `,
  })

const support = ({ supportUrl }: Operator): Html =>
  supportUrl === null
    ? html`tell the operator of this service, who hasn’t published a contact here. The app that sent you may know them.`
    : html`<a href="${supportUrl}">tell the operator of this service</a>.`
