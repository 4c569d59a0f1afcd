/** The interactive elements of a page: forms with their buttons, and links. */
interface Controls {
  readonly forms: readonly Form[]
  readonly links: readonly Link[]
}

export interface Form {
  readonly action: string
  readonly method: 'GET' | 'POST'
  /** The entries that the form submits without further input, in order. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Every named control, including those that submit nothing yet, such as an unchecked box. */
  readonly names: ReadonlySet<string>
  readonly buttons: readonly Button[]
}

export interface Button {
  readonly text: string
  readonly field: readonly [name: string, value: string] | null
  readonly action: string | null
}

interface Link {
  readonly text: string
  readonly href: string
}

interface OpenForm {
  id: string | undefined
  action: string
  method: 'GET' | 'POST'
  fields: [string, string][]
  names: Set<string>
  buttons: Button[]
}

type Attributes = Readonly<Record<string, string>>

/**
 * Reads the HTML of the service: closed tags, quoted attributes. It is not a general HTML parser.
 * A control belongs to its ancestor form, or to the form that its `form` attribute names.
 */
export function readControls(page: string): Controls {
  const forms: OpenForm[] = []
  const links: Link[] = []
  const deferred: { owner: string; add: (form: OpenForm) => void }[] = []
  let open: OpenForm | undefined
  let collecting: { close: string; text: string; done: (text: string) => void } | undefined

  const assign = (attributes: Attributes, add: (form: OpenForm) => void): void => {
    if (attributes.form !== undefined) {
      deferred.push({ owner: attributes.form, add })
    } else if (open) {
      add(open)
    }
  }

  const collect = (close: string, done: (text: string) => void): void => {
    collecting = { close, text: '', done }
  }

  const openButton = (attributes: Attributes): void => {
    if (attributes.type !== 'button') {
      const label = attributes['aria-label']
      collect('button', (inner) =>
        assign(attributes, (form) => form.buttons.push(button(attributes, label ?? inner))),
      )
    }
  }

  const openLink = ({ href }: Attributes): void => {
    if (href !== undefined) {
      collect('a', (inner) => links.push({ text: words(inner), href }))
    }
  }

  const openForm = (attributes: Attributes): void => {
    open = newForm(attributes)
    forms.push(open)
  }

  const openTextarea = (attributes: Attributes): void =>
    collect('textarea', (inner) =>
      assign(attributes, (form) => addField(form, attributes, decode(inner))),
    )

  const openTag: Readonly<Record<string, (attributes: Attributes) => void>> = {
    form: openForm,
    button: openButton,
    a: openLink,
    textarea: openTextarea,
    input: (attributes) => assign(attributes, (form) => addInput(form, attributes)),
  }

  const closeTag = (name: string): void => {
    if (name === 'form') {
      open = undefined
    }
    if (collecting?.close === name) {
      collecting.done(collecting.text)
      collecting = undefined
    }
  }

  for (const { text, name, closing, attributes } of tokens(page)) {
    if (collecting !== undefined) {
      collecting.text += text
    }
    if (closing) {
      closeTag(name)
    } else {
      openTag[name]?.(attributes)
    }
  }
  for (const { owner, add } of deferred) {
    forms.filter(({ id }) => id === owner).forEach(add)
  }
  return { forms, links }
}

const newForm = ({ id, action = '', method = 'get' }: Attributes): OpenForm => ({
  id,
  action,
  method: method.toLowerCase() === 'post' ? 'POST' : 'GET',
  fields: [],
  names: new Set(),
  buttons: [],
})

const button = (
  { name, value = '', formaction = null }: Attributes & { formaction?: string | null },
  text: string,
) => ({
  text: words(text),
  field: name ? ([name, value] as const) : null,
  action: formaction,
})

function addInput(form: OpenForm, attributes: Attributes): void {
  const { type = 'text', value } = attributes
  if (type === 'submit') {
    form.buttons.push(button(attributes, value ?? 'Submit'))
  } else if (type === 'checkbox' || type === 'radio') {
    if ('checked' in attributes) {
      addField(form, attributes, value ?? 'on')
    } else if (attributes.name) {
      form.names.add(attributes.name)
    }
  } else {
    addField(form, attributes, value ?? '')
  }
}

function addField(form: OpenForm, { name, disabled }: Attributes, value: string): void {
  if (!name || disabled !== undefined) {
    return
  }
  form.names.add(name)
  form.fields.push([name, value])
}

const TAG =
  /<(\/?)([a-z][a-z0-9-]*)((?:\s+[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*)\s*\/?>/gi
const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g
const NOT_SHOWN = /<!--[\s\S]*?-->|<(script|style|template|svg)\b[\s\S]*?<\/\1\s*>/gi

function* tokens(page: string) {
  const shown = page.replace(NOT_SHOWN, '')
  let end = 0
  for (const match of shown.matchAll(TAG)) {
    const [whole, slash, name = '', attributes = ''] = match
    const text = shown.slice(end, match.index)
    end = match.index + whole.length
    yield {
      text,
      name: name.toLowerCase(),
      closing: slash === '/',
      attributes: readAttributes(attributes),
    }
  }
}

const readAttributes = (text: string): Attributes =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decode(double ?? single ?? bare ?? ''),
    ]),
  )

const words = (text: string): string => decode(text).replace(/\s+/g, ' ').trim()

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

export const decode = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) {
      return ENTITIES[name.toLowerCase()] ?? whole
    }
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
