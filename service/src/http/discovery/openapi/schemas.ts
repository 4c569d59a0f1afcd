import { Digits } from '@gatehouse/contract'
import { z } from 'zod'
import type { Schema } from './types.ts'

/**
 * zod → JSON Schema. A schema with a name (`.meta({ id })`) is written once, under `components`, and referred to; zod
 * itself would repeat it inside every schema that uses it.
 */
export class Schemas {
  readonly #named = new Map<string, Schema>()

  /** What a caller may send: what has a default may be left out. */
  input(schema: z.ZodType): Schema {
    return this.#hoist(z.toJSONSchema(schema, { io: 'input', override: tidy }))
  }

  /** What we send. */
  output(schema: z.ZodType): Schema {
    return this.#hoist(z.toJSONSchema(schema, { io: 'output', override: tidy }))
  }

  /** A value of an address, where everything is text: what the text must say, once read. */
  parameter(schema: z.ZodType): Schema {
    return this.#hoist(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', override: tidy }))
  }

  get components(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #hoist(written: Schema): Schema {
    const { $schema: _, $defs = {}, ...schema } = written as Schema & { $defs?: Record<string, Schema> }
    for (const [name, definition] of Object.entries($defs)) {
      const hoisted = referring(definition) as Schema
      const known = this.#named.get(name)
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(hoisted)) {
        throw new Error(`Two different schemas are called ${name}.`)
      }
      this.#named.set(name, hoisted)
    }
    return referring(schema) as Schema
  }
}

interface Written {
  readonly zodSchema: unknown
  readonly jsonSchema: Record<string, unknown>
}

function tidy({ zodSchema, jsonSchema }: Written): void {
  // Digits read as a number: who calls wants to know that, not how it is spelled.
  if (zodSchema === Digits) Object.assign(jsonSchema, { type: 'integer', minimum: 0 })
  // The widest integers that JavaScript has are no rule of ours.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // The format says it; the pattern that zod adds says it again, in three hundred characters.
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
}

function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : referring(inner),
    ]),
  )
}
