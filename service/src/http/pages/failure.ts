import { displayText } from './display-text.ts'
import { layout, webUrl } from './layout.ts'
import { type Html, html } from './markup.ts'
import { prose } from './prose.ts'

export interface Failure {
  readonly status: number
  readonly title: string
  /** For the person in front of it: what is so, and what to do. */
  readonly message: string
  /** For whoever builds the app: which part of what did not fit. It may quote the request. */
  readonly detail?: string
  readonly requestId: string
  /** Left out when there is none, or when it is not an address that a link may carry. */
  readonly wayBack?: { readonly href: string; readonly label: string }
}

/** A sign-in that cannot go on, and cannot be sent back to the app with an error. */
export function failurePage({ status, title, message, detail, requestId, wayBack }: Failure): Html {
  const href = wayBack && webUrl(wayBack.href)
  return layout({
    kind: 'card',
    title: displayText(title),
    body: html`
      <h1>${displayText(title)}</h1>
      <p>${prose(displayText(message, 600))}</p>
      ${href && html`<p class="actions"><a class="button" href="${href}">${displayText(wayBack.label)}</a></p>`}
      ${
        detail !== undefined &&
        html`<section class="detail">
          <h2>For the app’s developer</h2>
          <p>${prose(displayText(detail, 1_200))}</p>
        </section>`
      }
      <p class="small-print">Status ${status} · Request <code>${displayText(requestId)}</code></p>
    `,
  })
}
