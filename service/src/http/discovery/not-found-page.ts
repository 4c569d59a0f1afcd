import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { displayText } from '../pages/text.ts'

/** The links of the 404 page (spec, Errors). */
const LINKS = [
  ['/', 'Home', 'what Gatehouse is, and the first three calls'],
  ['/docs', 'Documentation', 'guides and reference'],
  ['/developers', 'Developers', 'all links for developers'],
  ['/llms.txt', 'Instructions for agents', 'add sign-in to your app, step by step'],
  ['/docs/errors', 'Errors', 'what each error code means'],
  ['/sitemap.xml', 'Sitemap', 'every page'],
] as const

export const notFoundPage = ({ path, operator }: { readonly path: string; readonly operator: Operator }): Html =>
  layout({
    kind: 'card',
    operator,
    title: 'Page not found',
    body: html`
      <h1>Page not found</h1>
      <p><code>${displayText(path)}</code> may be mistyped, or it may have moved.</p>
      <ul>${LINKS.map(([href, label, what]) => html`<li><a href="${href}">${label}</a>: ${what}</li>`)}</ul>
    `,
  })

/** The same as plain text, for clients that don't accept HTML. */
export const notFoundText = ({ path, baseUrl }: { readonly path: string; readonly baseUrl: string }): string =>
  `Nothing at ${displayText(path)}.

${LINKS.map(([link, , what]) => `${baseUrl}${link}`.padEnd(baseUrl.length + 14) + what).join('\n')}
`
