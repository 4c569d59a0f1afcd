import { displayText } from './display-text.ts'
import { layout } from './layout.ts'
import { type Html, html } from './markup.ts'

export const notFoundPage = ({ path }: { readonly path: string }): Html =>
  layout({
    kind: 'card',
    title: 'Nothing here',
    body: html`
      <h1>There is nothing at this address</h1>
      <p><code>${displayText(path)}</code> may be mistyped, or it may have moved.</p>
      <ul>
        <li><a href="/">Start page</a>: what Gatehouse is, and the first three calls</li>
        <li><a href="/docs/errors">Error reference</a>: what each error code means</li>
      </ul>
    `,
  })

/** The same for whoever did not ask for HTML: an agent, a terminal. */
export const notFoundText = ({ path, baseUrl }: { readonly path: string; readonly baseUrl: string }): string =>
  `There is nothing at ${displayText(path)}.

${baseUrl}/            what Gatehouse is, and the first three calls
${baseUrl}/docs/errors what each error code means
`
