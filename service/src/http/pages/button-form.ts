import { type Html, html } from './markup.ts'

export interface ButtonForm {
  readonly action: string
  /** Undefined only on pages without a session: without one there is nothing to forge a request for. */
  readonly csrf: string | undefined
  readonly label: string
  /** Undefined ones are left out. */
  readonly fields?: Readonly<Record<string, string | number | undefined>>
  /** `main`: the action of the page. `quiet`: a secondary one. `small`: in a table row. `text`: within a sentence. */
  readonly variant: 'main' | 'quiet' | 'small' | 'text'
  /** The id of the element that names the button's object, on pages with several buttons of the same label. */
  readonly describedBy?: string
}

const CLASSES = { main: null, quiet: 'quiet', small: 'quiet small', text: 'text' } as const

/** A form with a single button. Every action is a POST with the CSRF token. */
export const buttonForm = ({ action, csrf, label, fields = {}, variant, describedBy }: ButtonForm): Html =>
  html`<form method="post" action="${action}"${variant === 'main' && html` class="actions"`}>${hiddenFields({ csrf, ...fields })}<button${
    CLASSES[variant] && html` class="${CLASSES[variant]}"`
  }${describedBy !== undefined && html` aria-describedby="${describedBy}"`}>${label}</button></form>`

export const hiddenFields = (fields: Readonly<Record<string, string | number | undefined>>): Html =>
  html`${Object.entries(fields).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )}`
