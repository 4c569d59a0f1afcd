import { type Html, html } from './markup.ts'

/** An input of a form, with its label, what to enter, and what was wrong with it. */
export interface Field {
  /** Unique on the page. */
  readonly id: string
  readonly name: string
  readonly label: string | Html
  readonly value: string
  readonly hint?: string | Html
  readonly problems?: readonly string[]
  /** The first field with a problem gets the focus: it scrolls into view, and its problem is read aloud. */
  readonly focus?: boolean
  readonly required?: boolean
}

interface TextField extends Field {
  readonly type?: 'text' | 'url' | 'password' | 'number'
  readonly max?: number
  readonly placeholder?: string
}

/** Browsers suggest and correct nothing: the values are addresses, ids and secrets. */
const VERBATIM = html` autocomplete="off" autocapitalize="none" spellcheck="false"`

export const textField = (field: TextField): Html =>
  labeled(
    field,
    html`<input id="${field.id}" name="${field.name}" type="${field.type ?? 'text'}" value="${field.value}"${VERBATIM}${
      field.type === 'number' && html` min="0" inputmode="numeric"`
    }${field.max !== undefined && html` max="${field.max}"`}${
      field.placeholder !== undefined && html` placeholder="${field.placeholder}"`
    }${states(field)}>`,
  )

/** A list, one entry per line, or a text of several lines. */
export const textArea = (field: Field & { readonly rows: number }): Html =>
  labeled(
    field,
    // The first line break after the tag is not part of the value (HTML, "newlines at the start of textarea").
    html`<textarea id="${field.id}" name="${field.name}" rows="${field.rows}"${VERBATIM}${states(field)}>
${field.value}</textarea>`,
  )

interface Choices {
  readonly name: string
  readonly legend: string | Html
  readonly chosen: string
  readonly choices: readonly { readonly value: string; readonly label: string | Html }[]
  /** Beside each other, for short labels. */
  readonly inline?: boolean
}

/** Radio buttons. */
export const choiceField = ({ name, legend, chosen, choices, inline = false }: Choices): Html =>
  html`<fieldset class="choices${inline && ' inline'}">
    <legend>${legend}</legend>
    ${choices.map(({ value, label }) => option('radio', name, value, value === chosen, label))}
  </fieldset>`

/** A list to choose from, in a form of filters. Its name is its id. */
export const selectField = (
  name: string,
  choices: Readonly<Record<string, string>>,
  chosen: string,
): Html =>
  html`<select id="${name}" name="${name}">${Object.entries(choices).map(
    ([value, label]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  )}</select>`

interface Boxes {
  readonly legend: string
  readonly boxes: readonly {
    readonly name: string
    readonly label: string | Html
    readonly checked: boolean
  }[]
  readonly problems?: readonly string[]
}

/** Check boxes, each with a name of its own: no field of a form may come twice. */
export const boxesField = ({ legend, boxes, problems = [] }: Boxes): Html =>
  html`<fieldset class="choices">
    ${legend && html`<legend>${legend}</legend>`}
    ${boxes.map(({ name, label, checked }) => option('checkbox', name, 'yes', checked, label))}
    ${problems.map((problem) => html`<p class="problem">${problem}</p>`)}
  </fieldset>`

const option = (
  type: string,
  name: string,
  value: string,
  checked: boolean,
  label: string | Html,
): Html =>
  html`<label><input type="${type}" name="${name}" value="${value}"${checked && html` checked`}> <span>${label}</span></label>`

const labeled = ({ id, label, hint, problems = [] }: Field, control: Html): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${control}
    ${
      problems.length > 0 &&
      html`<div class="problem" id="${id}-problem">${problems.map((problem) => html`<p>${problem}</p>`)}</div>`
    }
  </div>`

function states({ id, hint, problems = [], focus = false, required = false }: Field): Html {
  const describedBy = [
    hint !== undefined && `${id}-hint`,
    problems.length > 0 && `${id}-problem`,
  ].filter(Boolean)
  return html`${required && html` required`}${problems.length > 0 && html` aria-invalid="true"`}${focus && html` autofocus`}${
    describedBy.length > 0 && html` aria-describedby="${describedBy.join(' ')}"`
  }`
}

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
export const buttonForm = ({
  action,
  csrf,
  label,
  fields = {},
  variant,
  describedBy,
}: ButtonForm): Html =>
  html`<form method="post" action="${action}"${variant === 'main' && html` class="actions"`}>${hiddenFields({ csrf, ...fields })}<button${
    CLASSES[variant] && html` class="${CLASSES[variant]}"`
  }${describedBy !== undefined && html` aria-describedby="${describedBy}"`}>${label}</button></form>`

export const hiddenFields = (fields: Readonly<Record<string, string | number | undefined>>): Html =>
  html`${Object.entries(fields).map(
    ([name, value]) =>
      value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )}`
