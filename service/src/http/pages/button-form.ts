import { type Html, html } from './markup.ts'

export interface ButtonForm {
  readonly action: string
  /** Absent only where nobody is signed in yet, so that there is no session to ride on. */
  readonly csrf: string | undefined
  readonly label: string
  readonly fields?: Readonly<Record<string, string | number>>
  /** `main`: what the page is for. `quiet`: beside it. `small`: in a row. `text`: in a sentence. */
  readonly look: 'main' | 'quiet' | 'small' | 'text'
  /** The id of what this one button acts on, where a page has several with the same words. */
  readonly describedBy?: string
}

const CLASSES = { main: null, quiet: 'quiet', small: 'quiet small', text: 'text' } as const

/** A single button that changes something: always a post, always with the token. */
export const buttonForm = ({ action, csrf, label, fields = {}, look, describedBy }: ButtonForm): Html =>
  html`<form method="post" action="${action}"${look === 'main' && html` class="actions"`}>${hiddenFields({ csrf, ...fields })}<button${
    CLASSES[look] && html` class="${CLASSES[look]}"`
  }${describedBy !== undefined && html` aria-describedby="${describedBy}"`}>${label}</button></form>`

export const hiddenFields = (fields: Readonly<Record<string, string | number | undefined>>): Html =>
  html`${Object.entries(fields).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )}`
