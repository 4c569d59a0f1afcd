import type {
  Compilable,
  CompiledQuery,
  DeleteResult,
  DialectAdapter,
  InsertResult,
  Kysely,
  QueryResult,
  UpdateResult,
} from 'kysely'
import { type ReadFrom, Slot, type Slots, slotsLike } from './slots.ts'
import type { Tables } from './tables.ts'

type Write<V, O = unknown> = (db: Kysely<Tables>, slots: Slots<V>) => Compilable<O>

/**
 * A query written as a function of its values and built only once: Kysely is given slots where the values will be, and
 * each call puts its own into what was compiled (docs/hot-path.md). Whatever changes the text is another statement: a
 * condition left out, or `is null` instead of `=`. Lists are the exception: a slot for a list is a list of slots, and
 * each length is compiled when it is first met.
 */
export function statement<V extends object, O>(write: Write<V, O>): Statement<V, O> {
  // Whoever has the same adapter speaks the same SQL. It is one object for a database and all its transactions.
  const known = new WeakMap<DialectAdapter, Compiled<V>>()

  function execute(db: Kysely<Tables>, values: V): Promise<QueryResult<O>> {
    const { adapter } = db.getExecutor()
    let compiled = known.get(adapter)
    if (compiled === undefined) {
      compiled = new Compiled(write)
      known.set(adapter, compiled)
    }
    return db.executeQuery(compiled.filledWith(values, db) as CompiledQuery<O>)
  }

  const either: Query<V, O> & Command<V> = {
    rows: async (db, values) => (await execute(db, values)).rows,
    first: async (db, values) => (await execute(db, values)).rows[0],
    one: async (db, values) => {
      const [row] = (await execute(db, values)).rows
      if (row === undefined) throw new Error('a statement found no row')
      return row
    },
    run: async (db, values) => Number((await execute(db, values)).numAffectedRows ?? 0),
  }
  return either as unknown as Statement<V, O>
}

export type Statement<V, O> = [O] extends [InsertResult | UpdateResult | DeleteResult] ? Command<V> : Query<V, O>

/** What answers with rows. */
export interface Query<V, R> {
  rows(db: Kysely<Tables>, values: V): Promise<R[]>
  first(db: Kysely<Tables>, values: V): Promise<R | undefined>
  /** Throws when there is none. */
  one(db: Kysely<Tables>, values: V): Promise<R>
}

/** What only changes something. */
export interface Command<V> {
  /** How many rows it changed. */
  run(db: Kysely<Tables>, values: V): Promise<number>
}

/** A statement in the words of one engine. */
class Compiled<V extends object> {
  readonly #write: Write<V>
  readonly #byLengths = new Map<string, CompiledQuery>()
  /** null: not written yet. */
  #lists: readonly ReadFrom[] | null = null

  constructor(write: Write<V>) {
    this.#write = write
  }

  filledWith(values: V, db: Kysely<Tables>): CompiledQuery {
    const query = this.#known(values) ?? this.#written(values, db)
    const parameters = query.parameters.map((each) => (each instanceof Slot ? each.valueIn(values) : each))
    return { ...query, parameters }
  }

  #known(values: V): CompiledQuery | undefined {
    return this.#lists === null ? undefined : this.#byLengths.get(lengthsOf(this.#lists, values))
  }

  #written(values: V, db: Kysely<Tables>): CompiledQuery {
    const { slots, lists } = slotsLike(values)
    const query = this.#write(db, slots).compile()
    this.#lists = lists
    this.#byLengths.set(lengthsOf(lists, values), query)
    return query
  }
}

function lengthsOf(lists: readonly ReadFrom[], values: object): string {
  let lengths = ''
  for (const list of lists) lengths += `${(list(values) as readonly unknown[]).length} `
  return lengths
}
