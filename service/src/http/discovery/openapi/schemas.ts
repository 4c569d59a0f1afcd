import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Schema } from './types.ts'

/**
 * Converts zod schemas to JSON Schema. A named schema (`.meta({ id })`) is written once, under `components`; zod itself
 * would repeat its definition in every schema that refers to it.
 */
export class Schemas {
  readonly #named = new Map<string, Schema>()

  /** The schema of a request: fields with a default are optional. */
  input(schema: z.ZodType): Schema {
    return this.#write(schema, { io: 'input' })
  }

  /** The schema of a response. Additional properties are allowed: a later version may add fields (spec, Versioning). */
  output(schema: z.ZodType): Schema {
    return this.#write(schema, { io: 'output' }, allowAdditions)
  }

  /** The schema of a path or query parameter, after parsing. */
  parameter(schema: z.ZodType): Schema {
    return this.#write(schema, { io: 'output', unrepresentable: 'any' })
  }

  get components(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #write(
    schema: z.ZodType,
    how: Parameters<typeof z.toJSONSchema>[1],
    change?: (written: Written) => void,
  ): Schema {
    const override = (written: Written): void => {
      tidy(written)
      change?.(written)
    }
    const text = JSON.stringify(z.toJSONSchema(schema, { ...how, override }))
    const moved: WithDefinitions = JSON.parse(
      text.replaceAll('"#/$defs/', '"#/components/schemas/'),
    )
    const { $schema: _, $defs = {}, ...written } = moved
    for (const [name, definition] of Object.entries($defs)) {
      const known = this.#named.get(name) ?? definition
      if (!isDeepStrictEqual(known, definition)) {
        throw new Error(`Two different schemas are named ${name}.`)
      }
      this.#named.set(name, definition)
    }
    return written
  }
}

type WithDefinitions = Schema & { readonly $defs?: Readonly<Record<string, Schema>> }

interface Written {
  readonly jsonSchema: Record<string, unknown>
}

function allowAdditions({ jsonSchema }: Written): void {
  if (jsonSchema.additionalProperties === false) {
    delete jsonSchema.additionalProperties
  }
}

function tidy({ jsonSchema }: Written): void {
  // zod adds JavaScript's safe integer range, which is no rule of the API.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
    delete jsonSchema.minimum
  }
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
    delete jsonSchema.maximum
  }
  // zod adds a pattern of 300 characters that repeats the format.
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') {
    delete jsonSchema.pattern
  }
}
