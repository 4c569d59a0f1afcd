import { isDeepStrictEqual } from 'node:util'
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
    return this.#write(schema, { io: 'input' })
  }

  /** What we send. */
  output(schema: z.ZodType): Schema {
    return this.#write(schema, { io: 'output' })
  }

  /** A value of an address, where everything is text: what the text must say, once read. */
  parameter(schema: z.ZodType): Schema {
    return this.#write(schema, { io: 'output', unrepresentable: 'any' })
  }

  get components(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #write(schema: z.ZodType, how: Parameters<typeof z.toJSONSchema>[1]): Schema {
    const text = JSON.stringify(z.toJSONSchema(schema, { ...how, override: tidy }))
    const moved: WithDefinitions = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'))
    const { $schema: _, $defs = {}, ...written } = moved
    for (const [name, definition] of Object.entries($defs)) {
      const known = this.#named.get(name) ?? definition
      if (!isDeepStrictEqual(known, definition)) throw new Error(`Two different schemas are called ${name}.`)
      this.#named.set(name, definition)
    }
    return written
  }
}

type WithDefinitions = Schema & { readonly $defs?: Readonly<Record<string, Schema>> }

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
