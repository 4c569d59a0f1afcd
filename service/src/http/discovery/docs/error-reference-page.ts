import { codeBlock, inlineCode } from '../../pages/code.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { docsPage } from './docs-page.ts'

export interface ErrorReference {
  readonly operator: Operator
  readonly codes: readonly ErrorCode[]
}

export interface ErrorCode {
  readonly code: string
  readonly status: number
  readonly retryable: boolean
  readonly meaning: string
  readonly remedy: string
}

/** `/docs/errors`, the target of every `docs_url`. */
export const errorReferencePage = ({ codes, operator }: ErrorReference): Html =>
  docsPage({
    operator,
    current: '/docs/errors',
    title: 'Errors',
    body: html`
      <h1>Errors</h1>
      <p class="lead">${ERROR_INTRO}</p>
      ${codeBlock('An error body', ERROR_SAMPLE)}
      <table>
        <caption>The fields of <code>error</code></caption>
        <thead><tr><th scope="col">Field</th><th scope="col">Meaning</th></tr></thead>
        <tbody>${ERROR_FIELDS.map(([name, meaning]) => html`<tr><th scope="row"><code>${name}</code></th><td>${inlineCode(meaning)}</td></tr>`)}</tbody>
      </table>
      <h2>Codes</h2>
      ${codes.map(entry)}
    `,
  })

const entry = ({ code, status, retryable, meaning, remedy }: ErrorCode): Html => html`
  <section class="entry" id="${code}">
    <div class="entry-head">
      <h3><a href="#${code}"><code>${code}</code></a></h3>
      <span class="badge">${status}</span>${retryable && html` <span class="badge">Retryable</span>`}
    </div>
    <p>${inlineCode(meaning)}</p>
    <p><strong>What to do:</strong> ${inlineCode(remedy)}</p>
  </section>`

export const ERROR_INTRO = 'Every API error has a stable code. Decide by the code; show the message to a person.'

export const ERROR_SAMPLE = `{
  "error": {
    "code": "rateLimited",
    "message": "What happened, and what to do about it.",
    "retryable": true,
    "request_id": "req_…",
    "docs_url": "…/docs/errors#rateLimited"
  }
}`

export const ERROR_FIELDS = [
  ['code', 'One of the codes below.'],
  ['message', 'What happened and what to do about it. The wording may change.'],
  ['retryable', '`true` if the same request may succeed later. Wait as long as `Retry-After` says.'],
  ['request_id', 'Also in the `X-Request-Id` header. Quote it when you ask for help.'],
  ['docs_url', 'The entry on this page.'],
  ['details', 'Optional. Facts about this case, such as which limit is used up.'],
] as const
