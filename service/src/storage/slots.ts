import { type Expression, sql } from 'kysely'

/** Placeholders for values of this shape; a query can only refer to them. */
export type Slots<V> = { readonly [K in keyof V]: SlotFor<V[K]> }

type SlotFor<T> = [T] extends [string | number | Uint8Array | null]
  ? Expression<T>
  : [T] extends [readonly (infer Item)[]]
    ? readonly SlotFor<Item>[]
    : Slots<T>

export type ReadFrom = (values: unknown) => unknown

/** A placeholder among the parameters of a compiled query. */
export class Slot {
  readonly #name: string
  readonly #readFrom: ReadFrom

  constructor(name: string, readFrom: ReadFrom) {
    this.#name = name
    this.#readFrom = readFrom
  }

  valueIn(values: unknown): unknown {
    const value = this.#readFrom(values)
    // node-postgres would silently send NULL.
    if (value === undefined) {
      throw new TypeError(`no value for ${this.#name}`)
    }
    return value
  }
}

/**
 * Slots for values shaped like `example`: only the lengths of its lists and the names of its properties matter. Also
 * returns the lists that the query uses, because each length compiles to another text.
 */
export function slotsLike<V extends object>(
  example: V,
): { readonly slots: Slots<V>; readonly lists: ReadFrom[] } {
  const lists: ReadFrom[] = []
  return {
    slots: slotFor(example, { name: '', readFrom: (values) => values, lists }) as Slots<V>,
    lists,
  }
}

interface Path {
  readonly name: string
  readonly readFrom: ReadFrom
  readonly lists: ReadFrom[]
}

function slotFor(example: unknown, path: Path): unknown {
  if (Array.isArray(example)) {
    path.lists.push(path.readFrom)
    return example.map((item, index) => slotFor(item, childOf(path, index)))
  }
  if (typeof example !== 'object' || example === null || example instanceof Uint8Array) {
    return sql.val(new Slot(path.name, path.readFrom))
  }
  const properties = example as Record<string, unknown>
  // A proxy, because only the lists that the query uses may count: each length of a list compiles another text.
  return new Proxy(Object.create(null), {
    get: (_, key) => slotFor(properties[String(key)], childOf(path, String(key))),
    // Values may have more properties than their type declares; those must not become columns.
    ownKeys: () => {
      throw new TypeError('a statement names each of its slots')
    },
  })
}

const childOf = ({ name, readFrom, lists }: Path, key: string | number): Path => ({
  name: name === '' ? String(key) : `${name}.${key}`,
  readFrom: (values) => (readFrom(values) as Record<string | number, unknown>)[key],
  lists,
})
