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
import type { Tables } from './tables/tables.ts'

type Write<V, O = unknown> = (db: Kysely<Tables>, slots: Slots<V>) => Compilable<O>

/**
 * A query as a function of its values, compiled only once: Kysely compiles it with slots in place of the values, and each
 * call binds its own (docs/hot-path.md). A different SQL text needs another statement: a condition left out, or `is null`
 * instead of `=`. Lists are the exception: a slot for a list is a list of slots, and each length is compiled on first use.
 */
export function statement<V extends object, O>(write: Write<V, O>): Statement<V, O> {
  // The adapter stands for the SQL dialect: a database and all its transactions share one, and so do all SQLite databases.
  const known = new WeakMap<DialectAdapter, CompiledStatement<V>>()

  function execute(db: Kysely<Tables>, values: V): QueryResult<O> | Promise<QueryResult<O>> {
    const { adapter } = db.getExecutor()
    let compiled = known.get(adapter)
    if (compiled === undefined) {
      compiled = new CompiledStatement(write)
      known.set(adapter, compiled)
    }
    const query = compiled.bind(values, db) as CompiledQuery<O>
    const run = directRunOf(db)
    return run === undefined ? db.executeQuery(query) : run(query)
  }

  const either: Query<V, O> & Command<V> = {
    rows: async (db, values) => (await execute(db, values)).rows,
    first: async (db, values) => (await execute(db, values)).rows[0],
    find: async (db, values, from) => {
      const [row] = (await execute(db, values)).rows
      return row === undefined ? null : from(row)
    },
    one: async (db, values) => {
      const [row] = (await execute(db, values)).rows
      if (row === undefined) {
        throw new Error('the statement returned no row')
      }
      return row
    },
    run: async (db, values) => Number((await execute(db, values)).numAffectedRows ?? 0),
  }
  return either as unknown as Statement<V, O>
}

type Statement<V, O> = [O] extends [InsertResult | UpdateResult | DeleteResult]
  ? Command<V>
  : Query<V, O>

/** A statement that returns rows. */
interface Query<V, R> {
  rows(db: Kysely<Tables>, values: V): Promise<R[]>
  first(db: Kysely<Tables>, values: V): Promise<R | undefined>
  /** What `from` makes of the first row; null: there is none. */
  find<T>(db: Kysely<Tables>, values: V, from: (row: R) => T): Promise<T | null>
  /** Throws if there is no row. */
  one(db: Kysely<Tables>, values: V): Promise<R>
}

/** A statement that only writes. */
interface Command<V> {
  /** Returns the number of changed rows. */
  run(db: Kysely<Tables>, values: V): Promise<number>
}

/** A statement compiled for one dialect. */
class CompiledStatement<V extends object> {
  readonly #write: Write<V>
  readonly #byLengths = new Map<string, CompiledQuery>()
  /** null: not compiled yet. */
  #lists: readonly ReadFrom[] | null = null

  constructor(write: Write<V>) {
    this.#write = write
  }

  bind(values: V, db: Kysely<Tables>): CompiledQuery {
    const query = this.#find(values) ?? this.#compile(values, db)
    const parameters = query.parameters.map((each) =>
      each instanceof Slot ? each.valueIn(values) : each,
    )
    return { ...query, parameters }
  }

  #find(values: V): CompiledQuery | undefined {
    return this.#lists === null ? undefined : this.#byLengths.get(lengthsOf(this.#lists, values))
  }

  #compile(values: V, db: Kysely<Tables>): CompiledQuery {
    const { slots, lists } = slotsLike(values)
    const query = this.#write(db, slots).compile()
    this.#lists = lists
    this.#byLengths.set(lengthsOf(lists, values), query)
    return query
  }
}

function lengthsOf(lists: readonly ReadFrom[], values: object): string {
  let lengths = ''
  for (const list of lists) {
    lengths += `${(list(values) as readonly unknown[]).length} `
  }
  return lengths
}

/** Runs a compiled query. Without a promise if there is nothing to wait for. */
type DirectRun = <R>(query: CompiledQuery<R>) => QueryResult<R> | Promise<QueryResult<R>>

const directRuns = new WeakMap<Kysely<Tables>, DirectRun>()

/**
 * Lets statements run on the connection behind `db` without Kysely's executor, whose promises and connection providers cost
 * more than most statements on SQLite (docs/hot-path.md). Queries that are not statements still use it.
 */
export function runDirectly(db: Kysely<Tables>, run: DirectRun): void {
  directRuns.set(db, run)
}

const directRunOf = (db: Kysely<Tables>): DirectRun | undefined => directRuns.get(db)
