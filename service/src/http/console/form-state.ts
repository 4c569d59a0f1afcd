import * as contract from '@gatehouse-auth/contract'
import * as limits from '@gatehouse-auth/contract/limits'
import { type ApiError, type InputProblem, invalidRequest } from '../../domain/api-error.ts'
import { PROJECT_NAME_MAX_CHARACTERS } from '../../domain/tenants/tenant.ts'
import { parseBody } from '../mount-endpoint.ts'
import { inlineCode } from '../pages/elements.ts'
import { boxesField, choiceField, type Field, textArea, textField } from '../pages/fields.ts'
import { type Html, html } from '../pages/markup.ts'
import { parseJson } from '../request/body.ts'

/** A form that was not accepted: what the owner sent, and what the API says about it. */
export interface RejectedForm {
  /** The id of the form on its page. */
  readonly id: string
  readonly form: URLSearchParams
  readonly message: string
  readonly problems: readonly InputProblem[]
  /** Of the error, and so of the page that shows the form again. */
  readonly status: number
}

/** What a page says after a form was accepted: beside its button, in its section, or at the top. */
export interface Notice {
  readonly message: string
  /** The id of the form, if it has fields. */
  readonly form?: string
  /** The anchor of the section. */
  readonly section?: string
}

/** What a field shows besides its label. */
type FieldState = Required<Pick<Field, 'id' | 'name' | 'value' | 'problems' | 'focus'>>

/** What a form shows: the current values or, after an error, what the owner sent and what is wrong with it. */
export class FormState {
  readonly id: string
  readonly #rejected: RejectedForm | null
  readonly #names: readonly string[]

  /** `names` are the fields that show their own problems. A field has the name that the API gives it. */
  constructor(id: string, rejected: RejectedForm | null, names: readonly string[]) {
    this.id = id
    this.#rejected = rejected?.id === id ? rejected : null
    this.#names = names
  }

  get isRejected(): boolean {
    return this.#rejected !== null
  }

  value(name: string, current: string): string {
    return this.#rejected === null ? current : (this.#rejected.form.get(name) ?? '')
  }

  /** Of a check box, which sends nothing if it isn't checked. */
  isChecked(name: string, current: boolean): boolean {
    return this.#rejected === null ? current : this.#rejected.form.has(name)
  }

  problems(name: string): string[] {
    return this.#problems.filter(({ path }) => fieldOf(path) === name).map(inWords)
  }

  field(name: string, current: string): FieldState {
    const focus = this.#first === name
    return {
      id: `${this.id}-${name}`,
      name,
      value: this.value(name, current),
      problems: this.problems(name),
      focus,
    }
  }

  /** The API's message, and the problems that no field shows. */
  get message(): Html | false {
    if (this.#rejected === null) {
      return false
    }
    const others = this.#problems.filter(({ path }) => !this.#names.includes(fieldOf(path)))
    const said = others.filter(({ problem }) => !this.#rejected?.message.includes(problem))
    return html`<div class="notice problem" role="alert"${this.#first === undefined && html` tabindex="-1" autofocus`}>
      <p>${this.#rejected.message}</p>${said.map((problem) => html`<p>${inWords(problem)}</p>`)}
    </div>`
  }

  get #problems(): readonly InputProblem[] {
    return this.#rejected?.problems ?? []
  }

  /** The first field with a problem. */
  get #first(): string | undefined {
    return this.#names.find((name) => this.#problems.some(({ path }) => fieldOf(path) === name))
  }
}

const fieldOf = (path: string): string => path.replace(/[[.].*$/s, '')

/** A list is entered with one entry per line. */
function inWords({ path, problem }: InputProblem): string {
  const [, index] = /\[(\d+)\]$/.exec(path) ?? []
  return index === undefined ? problem : `Line ${Number(index) + 1}: ${problem}`
}

/** The message of an error that is about one field is shown there. */
export function problemsOf(
  { message, details }: ApiError,
  field?: string,
): Pick<RejectedForm, 'message' | 'problems'> {
  const given = (details?.problems as readonly InputProblem[] | undefined) ?? []
  const problems = field === undefined ? given : [{ path: field, problem: message }]
  return {
    message: field === undefined ? forOwners(message) : 'Nothing was changed.',
    problems: problems.map(({ path, problem }) => ({ path, problem: forOwners(problem) })),
  }
}

/** The API's words, for a person: a tenant is a project, a form is not an endpoint, and has fields to fill in. */
const forOwners = (message: string): string =>
  message
    .replace(/^The request does not fit this endpoint\. /, '')
    .replaceAll(/(?<=^|\. )Send (?=one of )/g, 'Choose ')
    .replaceAll(/(?<=^|\. )Send /g, 'Enter ')
    .replaceAll(/\b([Tt])enant/g, (_, first: string) => (first === 'T' ? 'Project' : 'project'))

/** A field of a form: how it is shown, and what the API would get of what was entered. */
export interface FormField {
  show(state: FormState, name: string, current: FieldValue): Html
  read(form: URLSearchParams, name: string): unknown
  /** Never sent back to the browser, also not when the form is shown again. */
  readonly secret?: boolean
}

export type FormFields = Readonly<Record<string, FormField>>

/** What a field shows if nothing was entered yet. */
export type FieldValue = string | number | boolean | readonly string[] | object | null | undefined

/** A field in `service/content/console.json`. In its words, `{NAME}` is a limit, and code and links are as in Markdown. */
export interface FieldWords {
  readonly kind: string
  readonly label: string
  readonly hint?: string
  readonly required?: boolean
  readonly type?: string
  readonly placeholder?: string
  readonly rows?: number
  readonly max?: number | string
  readonly choices?: Readonly<Record<string, string>>
  readonly schema?: string
}

export const formFields = (fields: Readonly<Record<string, FieldWords>>): FormFields =>
  Object.fromEntries(Object.entries(fields).map(([name, words]) => [name, formField(words)]))

function formField({ kind, label, hint, max, type, ...words }: FieldWords): FormField {
  const field = KINDS[kind as keyof typeof KINDS]
  return field({
    ...words,
    label: inlineWords(label),
    ...(hint !== undefined && { hint: inlineWords(hint) }),
    ...(max !== undefined && { max: typeof max === 'number' ? max : limit(max) }),
    ...(type === 'url' && { type }),
  })
}

/** Links become markup here only: other texts may contain what a stranger sent. */
const inlineWords = (words: string): Html =>
  html`${words
    .replaceAll(/\{([A-Z_]+)\}/g, (_, name) => String(limit(name)))
    .split(/(\[[^\]]+\]\([^)]+\))/)
    .map((part) => {
      const [, label, path] = /^\[(.*)\]\((.*)\)$/.exec(part) ?? []
      return label === undefined ? inlineCode(part) : html`<a href="${path}">${label}</a>`
    })}`

const LIMITS: Readonly<Record<string, unknown>> = { ...limits, PROJECT_NAME_MAX_CHARACTERS }

const limit = (name: string): number => {
  if (typeof LIMITS[name] !== 'number') {
    throw new Error(`service/content/console.json names an unknown limit: ${name}`)
  }
  return LIMITS[name]
}

type Described = Pick<Field, 'label' | 'hint' | 'required'> &
  Pick<FieldWords, 'placeholder' | 'rows' | 'choices' | 'schema'> & {
    readonly type?: 'url'
    readonly max?: number
  }

const textOf = (value: FieldValue): string =>
  Array.isArray(value)
    ? value.join('\n')
    : value === null || value === undefined
      ? ''
      : String(value)

const trimmed = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').trim().replaceAll('\r\n', '\n')

const text = (words: Described): FormField => ({
  show: (state, name, current) => textField({ ...state.field(name, textOf(current)), ...words }),
  read: trimmed,
})

const SCHEMAS = { Claims: contract.Claims, UserMetadata: contract.UserMetadata } as const

const KINDS = {
  text,
  /** An empty one is left out. */
  optional: (words: Described) => ({
    ...text(words),
    read: (form, name) => trimmed(form, name) || undefined,
  }),
  nullable: (words: Described) => ({
    ...text(words),
    read: (form, name) => trimmed(form, name) || null,
  }),
  /** It is not shown again: also not to the owner who entered it. */
  secret: ({ rows, ...words }: Described) => ({
    secret: true,
    show(state, name) {
      const field = { ...state.field(name, ''), ...words, value: '' }
      return rows === undefined
        ? textField({ ...field, type: 'password' })
        : textArea({ ...field, rows })
    },
    read: trimmed,
  }),
  /** Anything but a number is validated as text, and so rejected with the API's message. */
  number: (words: Described) => ({
    show: (state, name, current) =>
      textField({ ...state.field(name, textOf(current)), ...words, type: 'number' }),
    read: (form, name) => numberOf(form.get(name)),
  }),
  /** A list, one entry per line. */
  lines: (words: Described) => ({
    show: (state, name, current) =>
      area({ ...state.field(name, textOf(current)), ...words }, 3, 12),
    read: listField,
  }),
  /** Radio buttons. */
  choice: ({ label, choices = {} }: Described) => choice(label, Object.entries(choices)),
  /** A check box. */
  box: ({ label }: Described) => ({
    show: (state, name, current) =>
      boxesField({
        legend: '',
        problems: state.problems(name),
        boxes: [{ name, label, checked: state.isChecked(name, current === true) }],
      }),
    read: (form, name) => form.has(name),
  }),
  /** A text area for JSON, which is checked as the API checks it, with the same messages. */
  json: ({ schema, ...words }: Described) => ({
    show: (state, name, current) =>
      area({ ...state.field(name, JSON.stringify(current, null, 2)), ...words }, 4, 16),
    read(form, name) {
      try {
        return parseBody(
          SCHEMAS[schema as keyof typeof SCHEMAS],
          parseJson(trimmed(form, name) || '{}'),
        )
      } catch (error) {
        throw jsonProblem(error as ApiError, name)
      }
    },
  }),
} satisfies Readonly<Record<string, (words: Described) => FormField>>

export const choice = (
  legend: string | Html,
  choices: readonly (readonly [value: string, label: string | Html])[],
  inline = false,
): FormField => ({
  show: (state, name, current) =>
    choiceField({
      legend,
      choices: choices.map(([value, label]) => ({
        value,
        label: typeof label === 'string' ? inlineWords(label) : label,
      })),
      inline,
      name,
      chosen: state.value(name, textOf(current)),
    }),
  read: (form, name) => form.get(name),
})

/** As high as its text, within limits. */
const area = (field: Field, min: number, max: number): Html =>
  textArea({ ...field, rows: Math.min(max, Math.max(min, field.value.split('\n').length)) })

export const numberOf = (text: string | null): number | string =>
  text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : (text ?? '')

/** The lines of a list without empty ones. The form is shown again with the same lines, so that a problem can name one. */
export function listField(form: URLSearchParams, name: string): string[] {
  const entries = trimmed(form, name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  form.set(name, entries.join('\n'))
  return entries
}

function jsonProblem({ message, details }: ApiError, name: string): ApiError {
  const problems = (details?.problems as readonly InputProblem[] | undefined) ?? [
    { path: '', problem: message },
  ]
  const inWords = ({ path, problem }: InputProblem): string =>
    path === ''
      ? problem.replace('The body is not', 'Not').replace('The body is', 'It is')
      : `${path}: ${problem}`
  return invalidRequest(
    'Nothing was saved.',
    problems.map((problem) => ({ path: name, problem: inWords(problem) })),
  )
}
