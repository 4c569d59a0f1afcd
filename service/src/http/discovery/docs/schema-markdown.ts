import type { Schema } from '../openapi/types.ts'
import { SCHEMAS_PATH } from './operations.ts'

/** The keywords of JSON Schema that the tables show. */
interface ShownSchema {
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

/** A table of the fields of an object. Nested fields have dotted names. */
export function schemaTable(schema: Schema): string {
  const { $ref, properties, anyOf, oneOf, description } = schema as ShownSchema
  if ($ref !== undefined) {
    return typeOf(schema)
  }
  const choices = anyOf ?? oneOf
  if (choices !== undefined) {
    return choices.map(schemaTable).join('\n\nor\n\n')
  }
  const rows = properties === undefined ? [] : rowsOf(schema, '')
  if (rows.length === 0) {
    return description ?? (properties === undefined ? typeOf(schema) : 'An empty object.')
  }
  const table = ['| Field | Type | |', '|---|---|---|', ...rows].join('\n')
  return description === undefined ? table : `${description}\n\n${table}`
}

function rowsOf(schema: Schema, prefix: string): string[] {
  const { properties = {}, required = [] } = schema as ShownSchema
  return Object.entries(properties).flatMap(([name, field]) => {
    const { description, items } = field as ShownSchema
    const path = `${prefix}${name}`
    const notes = [required.includes(name) ? null : 'Optional.', description].filter(
      (note) => note != null,
    )
    const row = `| \`${path}\` | ${typeOf(field)} | ${notes.join(' ').replaceAll('|', '\\|')} |`
    return [
      row,
      ...nestedRowsOf(field, path),
      ...(items === undefined ? [] : nestedRowsOf(items, `${path}[]`)),
    ]
  })
}

/** The rows of a nested object, which may be nullable. */
function nestedRowsOf(schema: Schema, path: string): string[] {
  const { properties, anyOf = [] } = schema as ShownSchema
  if (properties !== undefined) {
    return rowsOf(schema, `${path}.`)
  }
  return anyOf
    .filter((choice) => (choice as ShownSchema).properties !== undefined)
    .flatMap((choice) => rowsOf(choice, `${path}.`))
}

/** A short description of the type. */
export function typeOf(schema: Schema): string {
  const shown = schema as ShownSchema
  if (shown.$ref !== undefined) {
    const name = shown.$ref.split('/').at(-1)
    return `[${name}](${SCHEMAS_PATH}#${name})`
  }
  if (shown.const !== undefined) {
    return `\`${JSON.stringify(shown.const)}\``
  }
  if (shown.enum !== undefined) {
    return shown.enum.map((value) => `\`${String(value)}\``).join(', ')
  }
  const choices = shown.anyOf ?? shown.oneOf
  if (choices !== undefined) {
    return [...new Set(choices.map(typeOf))].join(' or ')
  }
  const types = [shown.type ?? 'anything'].flat()
  if (types.includes('array')) {
    return `array of ${typeOf(shown.items ?? {})}`
  }
  return `${types.join(' or ')}${rangeOf(shown)}`
}

function rangeOf({ format, minimum, maximum, maxLength }: ShownSchema): string {
  if (format !== undefined) {
    return ` (${format})`
  }
  if (maxLength !== undefined) {
    return `, at most ${maxLength.toLocaleString('en')} characters`
  }
  if (minimum !== undefined && maximum !== undefined) {
    return `, ${minimum} to ${maximum}`
  }
  return minimum === undefined ? '' : `, ${minimum} or more`
}
