import type { ApiError, InputProblem } from '../../domain/api-error.ts'
import type { Field } from '../pages/fields.ts'
import { type Html, html } from '../pages/markup.ts'

/** A form that was not accepted: what the owner sent, and what the API says about it. */
export interface RejectedForm {
  /** The id of the form on its page. */
  readonly id: string
  readonly form: URLSearchParams
  readonly message: string
  readonly problems: readonly InputProblem[]
  /** The status of the error, which the page that shows the form again also has. */
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

  /** A check box sends nothing if it isn't checked. */
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
