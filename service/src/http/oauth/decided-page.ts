import { clientLabel } from '../account/client-label.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { displayText, HOST_MAX } from '../pages/text.ts'

export interface DecidedPage {
  readonly operator: Operator
  readonly clientName: string
  /** The scheme and host that the app's link begins with. */
  readonly app: string
  readonly allowed: boolean
  /** The link to the app; null once it can't be used anymore. */
  readonly location: string | null
}

/** After a decision about a client that is an app on this device: the browser can't tell whether the app has opened. */
export const decidedPage = ({ clientName, app, allowed, location, operator }: DecidedPage): Html => {
  const name = clientLabel(clientName)
  return layout({
    kind: 'card',
    operator,
    title: allowed ? 'Access was given' : 'Access was denied',
    body: html`
      <h1>${allowed ? 'Access was given' : 'Access was denied'}</h1>
      <p>${
        allowed
          ? html`<bdi>${name}</bdi> can manage projects for you.`
          : html`<bdi>${name}</bdi> can’t manage projects for you. Nothing was changed.`
      }</p>
      ${
        location === null
          ? html`<p>The app has received the response, or its time is over. You can close this page. If the app isn’t connected, start again there.</p>`
          : html`
            <p>Your browser opens the app for links that begin with <strong>${displayText(app, HOST_MAX)}</strong>. If nothing happens, press the button. If that does nothing either, the app isn’t installed here.</p>
            <p class="actions"><a class="button" href="${location}">Open the app</a></p>
          `
      }
    `,
    footer: html`<p>You can close this page once the app has opened. You can revoke access at any time in your account.</p>`,
  })
}
