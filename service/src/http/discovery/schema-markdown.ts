import type { Schema } from './openapi/types.ts'

interface Known {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/** The fields of an object, one a line; what is inside a field is named with dots. */
export function schemaTable(schema: Schema): string {
  const { $ref, properties, anyOf, oneOf, description } = schema as Known
  if ($ref !== undefined) return typeOf(schema)
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return choices.map(schemaTable).join('\n\nor\n\n')
  const rows = properties === undefined ? [] : rowsOf(schema, '')
  if (rows.length === 0) return description ?? (properties === undefined ? typeOf(schema) : 'An empty object.')
  const table = ['| Field | Type | |', '|---|---|---|', ...rows].join('\n')
  return description === undefined ? table : `${description}\n\n${table}`
}

function rowsOf(schema: Schema, prefix: string): string[] {
  const { properties = {}, required = [] } = schema as Known
  return Object.entries(properties).flatMap(([name, field]) => {
    const { description, items } = field as Known
    const path = `${prefix}${name}`
    const notes = [required.includes(name) ? null : 'Optional.', description].filter((note) => note != null)
    const row = `| \`${path}\` | ${typeOf(field)} | ${notes.join(' ').replaceAll('|', '\\|')} |`
    return [row, ...insideOf(field, path), ...(items === undefined ? [] : insideOf(items, `${path}[]`))]
  })
}

/** What an object has inside, also one that may be null. */
function insideOf(schema: Schema, path: string): string[] {
  const { properties, anyOf = [] } = schema as Known
  if (properties !== undefined) return rowsOf(schema, `${path}.`)
  return anyOf
    .filter((choice) => (choice as Known).properties !== undefined)
    .flatMap((choice) => rowsOf(choice, `${path}.`))
}

/** A type in a few words. */
export function typeOf(schema: Schema): string {
  const known = schema as Known
  if (known.$ref !== undefined) {
    const name = known.$ref.split('/').at(-1)
    return `[${name}](#schema-${name})`
  }
  if (known.const !== undefined) return `\`${JSON.stringify(known.const)}\``
  if (known.enum !== undefined) return known.enum.map((value) => `\`${String(value)}\``).join(', ')
  const choices = known.anyOf ?? known.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ')
  const types = [known.type ?? 'anything'].flat()
  if (types.includes('array')) return `array of ${typeOf(known.items ?? {})}`
  return `${types.join(' or ')}${rangeOf(known)}`
}

function rangeOf({ format, minimum, maximum, maxLength }: Known): string {
  if (format !== undefined) return ` (${format})`
  if (maxLength !== undefined) return `, at most ${maxLength.toLocaleString('en')} characters`
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  return minimum === undefined ? '' : `, ${minimum} or more`
}
