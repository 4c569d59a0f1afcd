import type { MiddlewareHandler } from 'hono'
import type { Env } from '../dependencies.ts'
import { type Asset, mark, stylesheet } from './assets.ts'
import { ENGLISH, type Language } from './languages/language.ts'
import { type Html, html } from './markup.ts'
import { type Operator, operatorLinks } from './operator.ts'

interface Layout {
  readonly title: string
  readonly body: Html
  /** `card`: one decision or message. `reading`: a wider column. `docs`: a column beside the list of pages. */
  readonly kind: 'card' | 'reading' | 'docs'
  /** Defaults to the site's links, except on a card. */
  readonly footer?: Html
  /** Who runs this service: the last line of every page. */
  readonly operator: Operator
  /** Set on pages for everyone: they have no links for developers, whose pages are in English. */
  readonly language?: Language
  /** More elements of `<head>`: a description, a stylesheet, scripts. */
  readonly head?: Html
  /** The path of the header's link that leads to this part of the site. */
  readonly section?: '/docs' | '/docs/api' | '/account'
}

/**
 * The frame of every page. It has no inline script or style and no third-party resource: the CSP forbids all three.
 * Scripts only add to a page that works without them. Public pages and the console have some; the pages on which a person
 * decides (consent, claim, OAuth) have none.
 */
export const layout = ({
  title,
  body,
  kind,
  footer,
  operator,
  head,
  section,
  language,
}: Layout): Html => html`<!doctype html>
<html lang="${language?.tag ?? 'en'}"${language?.direction === 'rtl' && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Gatehouse</title>
<link rel="stylesheet" href="${stylesheet.path}">
<link rel="icon" type="image/svg+xml" href="${mark.path}">
${head}
</head>
<body class="${kind === 'docs' ? 'reading-page docs-page' : `${kind}-page`}">
${kind === 'card' ? card(body) : reading(body, section, language)}
<footer>${footer ?? (kind === 'card' || language ? null : siteLinks)}${operatorLinks(operator, kind === 'card', language)}</footer>
</body>
</html>
`

const wordmark = html`<img src="${mark.path}" alt="" width="28" height="28"> Gatehouse`

// The wordmark is not a link here: it would lead away from a sign-in in progress.
const card = (body: Html): Html => html`
<header><p class="wordmark">${wordmark}</p></header>
<main><div class="card">${body}</div></main>`

const reading = (
  body: Html,
  section: Layout['section'],
  language: Language | undefined,
): Html => html`
<a class="skip" href="#content">${(language ?? ENGLISH).messages.site.skip}</a>
<header class="site">
<a class="wordmark" href="/">${wordmark}</a>
${!language && siteNavigation(section)}
</header>
<main id="content">${body}</main>`

const siteNavigation = (section: Layout['section']): Html =>
  html`<nav aria-label="Site">${SECTIONS.map(
    ([path, label]) =>
      html`<a class="site-link" href="${path}"${path === section && html` aria-current="true"`}>${label}</a> `,
  )}</nav>`

const SECTIONS = [
  ['/docs', 'Docs'],
  ['/docs/api', 'API'],
  ['/account', 'Projects'],
] as const

const siteLinks = html`<nav aria-label="Gatehouse">
<a href="/">Home</a> <a href="/docs">Documentation</a> <a href="/docs/api">API</a> <a href="/docs/errors">Errors</a>
<a href="/developers">Developers</a> <a href="/llms.txt">For agents</a> <a href="/status">Status</a> <a href="/feedback">Feedback</a>
</nav>`

/** A script of this site. The page needs `script-src` in its policy: `publicPageHeaders` and `scriptedPageHeaders` have it. */
export const script = ({ path }: Asset): Html => html`<script type="module" src="${path}"></script>`

const HERE = 'https://here.invalid'

/**
 * Returns the URL if a link may contain it: http, https or a path of this site. Templates escape text but don't check
 * schemes, and `javascript:` contains no character that escaping would change.
 */
export function webUrl(address: string): string | null {
  // Browsers drop tabs and read `\` as `/`, so `/\evil.example` is another host. The WHATWG parser does the same.
  const isPath = address.startsWith('/')
  const url = URL.parse(address, isPath ? HERE : undefined)
  if (url === null || url.username !== '' || url.password !== '') {
    return null
  }
  if (isPath) {
    return url.origin === HERE ? url.href.slice(HERE.length) : null
  }
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
}

const BANNER =
  '<p class="notice caution" role="note" lang="en" dir="ltr">Development sign-in: anyone who can open this page can sign in as anyone. Don\u2019t use it for real users.</p>'

/** Puts the warning on every HTML page, whichever route wrote it, so that no new page can forget it. */
export const developmentBanner: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  if (!c.res.headers.get('content-type')?.startsWith('text/html')) {
    return
  }
  const page = await c.res.text()
  c.res = new Response(
    page.replace(/<body[^>]*>/, (body) => `${body}${BANNER}`),
    c.res,
  )
}
