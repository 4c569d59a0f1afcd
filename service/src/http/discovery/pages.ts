import { API_VERSION, LOGIN_FAILURES } from '@gatehouse-auth/contract'
import { accepts } from 'hono/accepts'
import { lazy } from '../../domain/lazy.ts'
import { providerName } from '../../domain/providers/provider.ts'
import type { SharedClientFault } from '../../operations/providers/shared-client-faults.ts'
import { VERSION } from '../../version.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { publicPageHeaders } from '../headers.ts'
import type { Readiness } from '../health.ts'
import { FAVICON, PUBLIC_ASSETS } from '../pages/assets.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html, pageText } from '../pages/markup.ts'
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
export function publicPages(
  app: App,
  { ctx, development, operator }: HttpDependencies,
  readiness: Readiness,
): void {
  const instructions = lazy(() => published(llmsText(ctx.baseUrl), MARKDOWN))
  const home = lazy(() =>
    published(String(homePage({ baseUrl: ctx.baseUrl, development, operator })), HTML),
  )
  app.get('/', (c) => {
    c.set('route', '/')
    c.header('Vary', 'Accept', { append: true })
    const wanted = accepts(c, {
      header: 'Accept',
      supports: ['text/html', 'text/markdown'],
      default: 'text/html',
    })
    if (wanted === 'text/markdown' || !wantsPage(c)) {
      return publish(c, instructions(), MINUTES_5)
    }
    publicPageHeaders(c)
    c.header('Link', LINKS)
    return publish(c, home(), MINUTES_5)
  })

  app.get(STATUS_PATH, async (c) => {
    c.set('route', STATUS_PATH)
    return page(
      c,
      statusPage({
        operator,
        development,
        problems: await readiness(),
        faults: ctx.sharedClientFaults.list(),
        now: ctx.now(),
      }),
    )
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
  /** Why the last sign-in with a client of the operator failed, by provider. */
  readonly faults: readonly SharedClientFault[]
  readonly now: number
}

const STATUS_TEXT = pageText('status')
const READY = pageText('ready')()
const NOT_READY = pageText('not-ready')

/** For people who can't sign in, and for their developers. Machines read /readyz. */
export const statusPage = ({ operator, development, problems, faults, now }: Status): Html =>
  layout({
    kind: 'reading',
    operator,
    title: 'Status',
    head: html`<meta name="description" content="Whether this service accepts sign-ins right now.">`,
    body: STATUS_TEXT({
      state: stateOf(problems, faults),
      iso: new Date(now).toISOString(),
      utc: new Date(now).toUTCString(),
      sign_in: development
        ? 'A built-in stand-in for Google, with sample accounts: this is a development service.'
        : 'Google',
      version: VERSION,
      api_version: API_VERSION,
      support: support(operator),
    }),
  })

const FAULT = pageText('provider-fault')

function stateOf(problems: Status['problems'], faults: Status['faults']): Html | Html[] {
  if (problems.length > 0) {
    return NOT_READY({ problems: problems.join('; ') })
  }
  return faults.length > 0 ? faults.map(faultLine) : READY
}

const faultLine = ({ provider, stage, errorCode, at }: SharedClientFault): Html =>
  FAULT({
    provider: providerName(provider, null),
    iso: new Date(at).toISOString(),
    utc: new Date(at).toUTCString(),
    error: `${stage}: ${errorCode}`,
    meaning: LOGIN_FAILURES[errorCode],
  })

const support = ({ supportUrl }: Operator): Html =>
  supportUrl === null
    ? html`tell the operator of this service, who hasn’t published a contact here. The app that sent you may know them.`
    : html`<a href="${supportUrl}">tell the operator of this service</a>.`
