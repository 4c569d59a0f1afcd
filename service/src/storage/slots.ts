import { type Expression, sql } from 'kysely'

/** Values of this shape, before they are known: nothing can be done with them but to name them in a query. */
export type Slots<V> = { readonly [K in keyof V]: SlotFor<V[K]> }

type SlotFor<T> = [T] extends [string | number | Uint8Array | null]
  ? Expression<T>
  : [T] extends [readonly (infer Item)[]]
    ? readonly SlotFor<Item>[]
    : Slots<T>

export type ReadFrom = (values: unknown) => unknown

/** Stands among the parameters of a compiled query, where a value will be. */
export class Slot {
  readonly #name: string
  readonly #readFrom: ReadFrom

  constructor(name: string, readFrom: ReadFrom) {
    this.#name = name
    this.#readFrom = readFrom
  }

  valueIn(values: unknown): unknown {
    const value = this.#readFrom(values)
    // node-postgres would send it as NULL without a word.
    if (value === undefined) throw new TypeError(`no value for ${this.#name}`)
    return value
  }
}

/**
 * Slots for values like these, of which only the shape is looked at: what is a list and how long, and what has parts.
 * Also the lists that were named, because a query has another text for another length.
 */
export function slotsLike<V extends object>(example: V): { readonly slots: Slots<V>; readonly lists: ReadFrom[] } {
  const lists: ReadFrom[] = []
  return { slots: slotFor(example, { name: '', readFrom: (values) => values, lists }) as Slots<V>, lists }
}

interface Place {
  readonly name: string
  readonly readFrom: ReadFrom
  readonly lists: ReadFrom[]
}

function slotFor(example: unknown, place: Place): unknown {
  if (Array.isArray(example)) {
    place.lists.push(place.readFrom)
    return example.map((item, index) => slotFor(item, partOf(place, index)))
  }
  if (typeof example !== 'object' || example === null || example instanceof Uint8Array) {
    return sql.val(new Slot(place.name, place.readFrom))
  }
  const parts = example as Record<string, unknown>
  return new Proxy(Object.create(null), {
    get: (_, key) => slotFor(parts[String(key)], partOf(place, String(key))),
    // Values may have more parts than their type says, and those must not become columns.
    ownKeys: () => {
      throw new TypeError('a statement names each of its slots')
    },
  })
}

const partOf = ({ name, readFrom, lists }: Place, key: string | number): Place => ({
  name: name === '' ? String(key) : `${name}.${key}`,
  readFrom: (values) => (readFrom(values) as Record<string | number, unknown>)[key],
  lists,
})
