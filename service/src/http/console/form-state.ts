import type { z } from 'zod'
import { type ApiError, type InputProblem, invalidRequest } from '../../domain/api-error.ts'
import { parseBody } from '../mount-endpoint.ts'
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
    return { id: `${this.id}-${name}`, name, value: this.value(name, current), problems: this.problems(name), focus }
  }

  /** The API's message, and the problems that no field shows. */
  get message(): Html | false {
    if (this.#rejected === null) return false
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
export function problemsOf({ message, details }: ApiError, field?: string): Pick<RejectedForm, 'message' | 'problems'> {
  const given = (details?.problems as readonly InputProblem[] | undefined) ?? []
  const problems = field === undefined ? given : [{ path: field, problem: message }]
  return {
    message: field === undefined ? forOwners(message) : 'Nothing was changed.',
    problems: problems.map(({ path, problem }) => ({ path, problem: forOwners(problem) })),
  }
}

/** The API's words, for a person: a tenant is a project, and a form is not an endpoint. */
const forOwners = (message: string): string =>
  message
    .replace(/^The request does not fit this endpoint\. /, '')
    .replaceAll(/\b([Tt])enant/g, (_, first: string) => (first === 'T' ? 'Project' : 'project'))

/** A field of a form: how it is shown, and what the API would get of what was entered. */
export interface FormField<Entered = unknown> {
  show(state: FormState, name: string, current: FieldValue): Html
  read(form: URLSearchParams, name: string): Entered
  /** Never sent back to the browser, also not when the form is shown again. */
  readonly secret?: boolean
}

export type FormFields = Readonly<Record<string, FormField>>

/** What a field shows if nothing was entered yet. */
export type FieldValue = string | number | boolean | readonly string[] | object | null | undefined

/** What the fields of a form give. */
export type Entered<Fields> = { [Name in keyof Fields]: Fields[Name] extends FormField<infer Value> ? Value : never }

type Described = Pick<Field, 'label' | 'hint' | 'required'>

interface Text extends Described {
  readonly type?: 'text' | 'url' | 'password'
  readonly placeholder?: string
}

const textOf = (value: FieldValue): string =>
  Array.isArray(value) ? value.join('\n') : value === null || value === undefined ? '' : String(value)

const trimmed = (form: URLSearchParams, name: string): string => (form.get(name) ?? '').trim().replaceAll('\r\n', '\n')

export const text = (options: Text): FormField<string> => ({
  show: (state, name, current) => textField({ ...state.field(name, textOf(current)), ...options }),
  read: trimmed,
})

/** An empty one is `empty`: none, or left out. */
export const optionalText = <Empty extends null | undefined>(
  empty: Empty,
  options: Text,
): FormField<string | Empty> => ({ ...text(options), read: (form, name) => trimmed(form, name) || empty })

/** It is not shown again: also not to the owner who entered it. */
export const secretText = (options: Text & { readonly rows?: number }): FormField<string> => ({
  secret: true,
  show(state, name) {
    const field = { ...state.field(name, ''), ...options, value: '' }
    return options.rows === undefined
      ? textField({ ...field, type: 'password' })
      : textArea({ ...field, rows: options.rows })
  },
  read: trimmed,
})

/** Anything but a number is validated as text, and so rejected with the API's message. */
export const number = (options: Described & { readonly max?: number }): FormField<number | string> => ({
  show: (state, name, current) => textField({ ...state.field(name, textOf(current)), ...options, type: 'number' }),
  read: (form, name) => numberOf(form.get(name)),
})

export const numberOf = (text: string | null): number | string =>
  text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : (text ?? '')

/** A list, one entry per line. */
export const lines = (options: Described): FormField<string[]> => ({
  show(state, name, current) {
    const field = state.field(name, textOf(current))
    return textArea({ ...field, ...options, rows: Math.min(12, Math.max(3, field.value.split('\n').length)) })
  },
  read: listField,
})

/** The lines of a list without empty ones. The form is shown again with the same lines, so that a problem can name one. */
function listField(form: URLSearchParams, name: string): string[] {
  const entries = trimmed(form, name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  form.set(name, entries.join('\n'))
  return entries
}

/** Radio buttons. */
export const choice = (
  options: Omit<Parameters<typeof choiceField>[0], 'name' | 'chosen'>,
): FormField<string | null> => ({
  show: (state, name, current) => choiceField({ ...options, name, chosen: state.value(name, textOf(current)) }),
  read: (form, name) => form.get(name),
})

/** A check box, below a legend if it has one. */
export const box = (label: string | Html, legend = ''): FormField<boolean> => ({
  show: (state, name, current) =>
    boxesField({
      legend,
      problems: state.problems(name),
      boxes: [{ name, label, checked: state.isChecked(name, current === true) }],
    }),
  read: (form, name) => form.has(name),
})

/** A text area for JSON, which is checked as the API checks it, with the same messages. */
export const json = <Schema extends z.ZodType>(schema: Schema, label: string | Html): FormField<z.output<Schema>> => ({
  show(state, name, current) {
    const field = state.field(name, JSON.stringify(current, null, 2))
    return textArea({ ...field, label, rows: Math.min(16, Math.max(4, field.value.split('\n').length)) })
  },
  read(form, name) {
    try {
      return parseBody(schema, parseJson(trimmed(form, name) || '{}'))
    } catch (error) {
      throw jsonProblem(error as ApiError, name)
    }
  },
})

function jsonProblem({ message, details }: ApiError, name: string): ApiError {
  const problems = (details?.problems as readonly InputProblem[] | undefined) ?? [{ path: '', problem: message }]
  const inWords = ({ path, problem }: InputProblem): string =>
    path === '' ? problem.replace('The body is not', 'Not').replace('The body is', 'It is') : `${path}: ${problem}`
  return invalidRequest(
    'Nothing was saved.',
    problems.map((problem) => ({ path: name, problem: inWords(problem) })),
  )
}
