import { inlineCode } from './code.ts'
import { layout, webUrl } from './layout.ts'
import { type Html, html } from './markup.ts'
import { displayText } from './text.ts'

export interface Failure {
  readonly status: number
  readonly title: string
  /** For the user: what happened and what to do. */
  readonly message: string
  /** For the app's developer: which part of the request is invalid. It may quote the request. */
  readonly detail?: string
  readonly requestId: string
  /** Omitted when its `href` is not a URL that a link may contain. */
  readonly wayBack?: { readonly href: string; readonly label: string }
}

/** An error that is shown here because it can't be returned to the app's callback. */
export function failurePage({ status, title, message, detail, requestId, wayBack }: Failure): Html {
  const href = wayBack && webUrl(wayBack.href)
  return layout({
    kind: 'card',
    title: displayText(title),
    body: html`
      <h1>${displayText(title)}</h1>
      <p>${inlineCode(displayText(message, 600))}</p>
      ${href && html`<p class="actions"><a class="button" href="${href}">${displayText(wayBack.label)}</a></p>`}
      ${
        detail !== undefined &&
        html`<section class="detail">
          <h2>For the app’s developer</h2>
          <p>${inlineCode(displayText(detail, 1_200))}</p>
        </section>`
      }
      <p class="small-print">Status ${status} · Request <code>${displayText(requestId)}</code></p>
    `,
  })
}
