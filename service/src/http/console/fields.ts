import type { z } from 'zod'
import { ApiError, type InputProblem, invalidRequest } from '../../domain/api-error.ts'
import { parseBody } from '../mount-endpoint.ts'
import { inlineCode } from '../pages/elements.ts'
import { boxesField, choiceField, type Field, textArea, textField } from '../pages/fields.ts'
import { type Html, html } from '../pages/markup.ts'
import { parseJson } from '../request/body.ts'
import type { FormState } from './form-state.ts'

/** A field of a form: how it is shown, and what the API would get of what was entered. */
export interface FormField<Value = unknown> {
  show(state: FormState, name: string, current: FieldValue): Html
  read(form: URLSearchParams, name: string): Value
  /** Never sent back to the browser, also not when the form is shown again. */
  readonly secret?: boolean
}

export type FormFields = Readonly<Record<string, FormField>>

/** What the fields of a form give. */
export type Entered<Fields extends FormFields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends FormField<infer Value> ? Value : never
}

/** What a field shows if nothing was entered yet. */
export type FieldValue = string | number | boolean | readonly string[] | object | null | undefined

/** What a field says. In the label and the hint, code and links are written as in Markdown. */
interface FieldWords {
  readonly label: string
  readonly hint?: string
  readonly required?: boolean
}

interface TextWords extends FieldWords {
  readonly type?: 'url'
  readonly placeholder?: string
}

export const text = (words: TextWords): FormField<string> => ({
  show: (state, name, current) =>
    textField({ ...state.field(name, textOf(current)), ...written(words) }),
  read: readText,
})

/** A text that is left out if it is empty. */
export const optional = (words: TextWords): FormField<string | undefined> => ({
  ...text(words),
  read: (form, name) => readText(form, name) || undefined,
})

/** A text that is null if it is empty. */
export const nullable = (words: TextWords): FormField<string | null> => ({
  ...text(words),
  read: (form, name) => readText(form, name) || null,
})

/** A text that is not shown again, also not to the owner who entered it. With `rows`, it may have several lines. */
export const secret = ({
  rows,
  ...words
}: FieldWords & { readonly rows?: number }): FormField<string> => ({
  secret: true,
  show(state, name) {
    const field = { ...state.field(name, ''), ...written(words), value: '' }
    if (rows !== undefined) {
      return textArea({ ...field, rows })
    }
    return textField({ ...field, type: 'password' })
  },
  read: readText,
})

/** Anything but a number is validated as text, and so rejected with the API's message. */
export const number = (
  words: FieldWords & { readonly max?: number },
): FormField<number | string> => ({
  show: (state, name, current) =>
    textField({ ...state.field(name, textOf(current)), ...written(words), type: 'number' }),
  read: (form, name) => numberOf(form.get(name)),
})

/** A list, one entry per line. */
export const lines = (words: FieldWords): FormField<string[]> => ({
  show: (state, name, current) =>
    area({ ...state.field(name, textOf(current)), ...written(words) }, 3, 12),
  read: listField,
})

interface ChoiceWords {
  readonly label: string | Html
  /** The label of each value. */
  readonly choices: Readonly<Record<string, string | Html>>
  /** Beside each other, for short labels. */
  readonly inline?: boolean
}

/** Radio buttons. */
export const choice = ({
  label,
  choices,
  inline = false,
}: ChoiceWords): FormField<string | null> => ({
  show: (state, name, current) =>
    choiceField({
      legend: typeof label === 'string' ? inlineWords(label) : label,
      choices: Object.entries(choices).map(([value, words]) => ({
        value,
        label: typeof words === 'string' ? inlineWords(words) : words,
      })),
      inline,
      name,
      chosen: state.value(name, textOf(current)),
    }),
  read: (form, name) => form.get(name),
})

/** A check box. */
export const box = ({ label }: Pick<FieldWords, 'label'>): FormField<boolean> => ({
  show: (state, name, current) =>
    boxesField({
      legend: '',
      problems: state.problems(name),
      boxes: [
        { name, label: inlineWords(label), checked: state.isChecked(name, current === true) },
      ],
    }),
  read: (form, name) => form.has(name),
})

/** A text area for JSON, which is checked as the API checks it, with the same messages. */
export const json = <Schema extends z.ZodType>({
  schema,
  ...words
}: FieldWords & { readonly schema: Schema }): FormField<z.output<Schema>> => ({
  show: (state, name, current) =>
    area({ ...state.field(name, JSON.stringify(current, null, 2)), ...written(words) }, 4, 16),
  read(form, name) {
    try {
      return parseBody(schema, parseJson(readText(form, name) || '{}'))
    } catch (error) {
      throw error instanceof ApiError ? jsonProblem(error, name) : error
    }
  },
})

export const numberOf = (entered: string | null): number | string =>
  entered !== null && /^\d{1,15}$/.test(entered.trim()) ? Number(entered) : (entered ?? '')

/** The lines of a list without empty ones. The form is shown again with the same lines, so that a problem can name one. */
export function listField(form: URLSearchParams, name: string): string[] {
  const entries = readText(form, name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  form.set(name, entries.join('\n'))
  return entries
}

const textOf = (value: FieldValue): string =>
  Array.isArray(value) ? value.join('\n') : String(value ?? '')

function readText(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').trim().replaceAll('\r\n', '\n')
}

/** As high as its text, within limits. */
const area = (field: Field, min: number, max: number): Html =>
  textArea({ ...field, rows: Math.min(max, Math.max(min, field.value.split('\n').length)) })

const written = <Words extends FieldWords>({ label, hint, ...rest }: Words) => ({
  ...rest,
  label: inlineWords(label),
  ...(hint !== undefined && { hint: inlineWords(hint) }),
})

/** Links become markup here only: other texts may contain what a stranger sent. */
const inlineWords = (words: string): Html =>
  html`${words.split(/(\[[^\]]+\]\([^)]+\))/).map((part) => {
    const [, label, path] = /^\[(.*)\]\((.*)\)$/.exec(part) ?? []
    return label === undefined ? inlineCode(part) : html`<a href="${path}">${label}</a>`
  })}`

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
