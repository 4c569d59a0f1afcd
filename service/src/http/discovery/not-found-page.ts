import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import { displayText } from '../pages/text.ts'

/** Where to go from nowhere (spec, Errors). */
const WAYS = [
  ['/', 'Start', 'what Gatehouse is, and the first three calls'],
  ['/docs', 'Documentation', 'guides and reference'],
  ['/developers', 'Developers', 'where everything for developers is'],
  ['/llms.txt', 'Instructions for agents', 'from nothing to a signed-in person'],
  ['/docs/errors', 'Errors', 'what each error code means'],
  ['/sitemap.xml', 'Sitemap', 'every page'],
] as const

export const notFoundPage = ({ path }: { readonly path: string }): Html =>
  layout({
    kind: 'card',
    title: 'Nothing here',
    body: html`
      <h1>There is nothing at this address</h1>
      <p><code>${displayText(path)}</code> may be mistyped, or it may have moved.</p>
      <ul>${WAYS.map(([href, label, what]) => html`<li><a href="${href}">${label}</a>: ${what}</li>`)}</ul>
    `,
  })

/** The same for whoever did not ask for HTML: an agent, a terminal. */
export const notFoundText = ({ path, baseUrl }: { readonly path: string; readonly baseUrl: string }): string =>
  `There is nothing at ${displayText(path)}.

${WAYS.map(([way, , what]) => `${baseUrl}${way}`.padEnd(baseUrl.length + 14) + what).join('\n')}
`
