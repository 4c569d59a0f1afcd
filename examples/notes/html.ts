/** Escaped markup. */
export interface Html {
  readonly html: string
}

type Value = Html | string | number | null | readonly Html[]

/** Escapes every interpolated value that is not `Html`. Attribute values must be quoted. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const rest = values.map((value, index) => markup(value) + (strings[index + 1] ?? ''))
  return { html: (strings[0] ?? '') + rest.join('') }
}

function markup(value: Value): string {
  if (value === null) {
    return ''
  }
  if (typeof value === 'string' || typeof value === 'number') {
    return escaped(String(value))
  }
  return 'html' in value ? value.html : value.map((each) => each.html).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
