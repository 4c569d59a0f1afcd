import type { ApiErrorCode } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { parseBody } from '../mount-endpoint.ts'
import { type ButtonForm, buttonForm, hiddenFields } from '../pages/fields.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Entered, FieldValue, FormField, FormFields } from './fields.ts'
import type { FormOptions } from './form.ts'
import { FormState } from './form-state.ts'
import type { ItemPath, ProjectPath } from './paths.ts'
import type { FormPost } from './project-call.ts'
import type { Frame } from './projects/project-page.ts'

interface FormWords {
  readonly path: ProjectPath | ItemPath
  /** The label of its button. */
  readonly button: string
  /** Messages by the query parameter `done`. Other values show nothing, so a link can't put words on the page. */
  readonly done?: Readonly<Record<string, string>>
  /** The fields that errors without a path are about. */
  readonly errorFields?: Partial<Record<ApiErrorCode, string>>
  readonly limits?: FormOptions
}

/** What a form says and does. Without a schema, `run` gets what the fields give. */
interface FormDefinition<
  Fields extends FormFields,
  Schema extends z.ZodType,
  Result,
  Done extends string,
> extends FormWords {
  /** Names the form on its page; the last part of its path, if it isn't given. */
  readonly id?: string
  readonly fields?: Fields
  readonly done?: Readonly<Record<Done, string>>
  readonly errorFields?: Partial<Record<ApiErrorCode, NoInfer<NameOf<Fields>>>>
  /** The schema by which the API checks what the fields give, or what `read` makes of it. */
  readonly body?: Schema
  read?(entered: Entered<Fields>, form: URLSearchParams): unknown
  /** Calls the operation of the API. */
  run(
    post: FormPost,
    body: [Schema] extends [never] ? Entered<Fields> : z.output<Schema>,
  ): Promise<Result>
  /** The message, if there are several, '' for none, or a response other than the page of the form. */
  outcome?(result: Result, post: FormPost): NoInfer<Done> | '' | Response
}

type NameOf<Fields extends FormFields> = keyof Fields & string

/** What pages register and show. `Name`: the names of its fields. */
export interface ConsoleForm<Name extends string = string> extends FormWords {
  readonly id: string
  /**
   * With fields, an API error shows the form again: with its status, its message at the field that it names, and everything
   * that the owner entered. Without this property, an API error is a page.
   */
  readonly fields: Readonly<Record<Name, FormField>> | undefined
  /** The anchor of the section that shows it. */
  readonly section?: string
  /** The key of a message, or a response. */
  handle(post: FormPost): Promise<string | Response>
}

/** A form of a project. */
export function consoleForm<
  Result,
  Fields extends FormFields = Record<never, never>,
  Schema extends z.ZodType = never,
  Done extends string = never,
>(definition: FormDefinition<Fields, Schema, Result, Done>): ConsoleForm<NameOf<Fields>> {
  const { body, read, run, outcome, fields, id, ...words } = definition

  return {
    ...words,
    id: id ?? words.path.route.split('/').at(-1) ?? '',
    fields,
    async handle(post) {
      const entered = readFields(fields, post.form)
      const sent = read === undefined ? entered : read(entered, post.form)
      const checked = body === undefined ? sent : parseBody(body as z.ZodType, sent)
      const result = await run(post, checked as Parameters<typeof run>[1])

      if (outcome !== undefined) {
        return outcome(result, post)
      }
      const [onlyMessage = ''] = Object.keys(words.done ?? {})
      return onlyMessage
    },
  }
}

/** Leaves out the fields that were left empty and are optional. */
function readFields<Fields extends FormFields>(
  fields: Fields | undefined,
  form: URLSearchParams,
): Entered<Fields> {
  const values = Object.entries(fields ?? {}).map(
    ([name, field]) => [name, field.read(form, name)] as const,
  )
  const given = values.filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Entered<Fields>
}

/** What a form shows: the current values or, if it is the one that was rejected, what the owner sent. */
export const formState = (
  { id, fields = {} }: ConsoleForm,
  { rejected = null }: Frame,
): FormState => new FormState(id, rejected, Object.keys(fields))

interface FormElement<Name extends string> {
  /** The current values of the fields. */
  readonly values?: Readonly<Partial<Record<Name, FieldValue>>>
  readonly hidden?: Readonly<Record<string, string | number>>
  /** On the page of something in the project: its id. */
  readonly item?: string | number
  readonly button?: { readonly label?: string; readonly variant: string }
  /** Above the button. */
  readonly note?: Html | false
  readonly upload?: boolean
}

/** The form with its fields. Beside its button it says that it was saved. */
export function formElement<Name extends string>(
  form: ConsoleForm<Name>,
  frame: Frame,
  element: FormElement<NoInfer<Name>> = {},
): Html {
  const {
    values = {},
    hidden,
    item = '',
    button = { variant: 'small' },
    note = false,
    upload = false,
  } = element
  const state = formState(form, frame)
  const shown: Readonly<Record<string, FieldValue>> = values
  return html`<form method="post" id="${form.id}" action="${form.path(frame.project.tenantId, item)}"${upload && html` enctype="multipart/form-data"`}>
    ${hiddenFields({ csrf: frame.csrf, ...hidden })}
    ${state.message}
    ${Object.entries<FormField>(form.fields ?? {}).map(([name, field]) => field.show(state, name, shown[name]))}
    ${note}
    <div class="form-end"><button class="${button.variant}">${button.label ?? form.button}</button>${
      frame.notice?.form === form.id &&
      html`<p class="saved" role="status">${frame.notice.message}</p>`
    }</div>
  </form>`
}

interface Button extends Partial<Omit<ButtonForm, 'action' | 'csrf'>> {
  readonly item?: string | number
}

/** The form as a button. */
export const formButton = (
  form: ConsoleForm,
  { csrf, project }: Frame,
  { item = '', ...button }: Button = {},
): Html =>
  buttonForm({
    action: form.path(project.tenantId, item),
    csrf,
    label: form.button,
    variant: 'small',
    ...button,
  })
