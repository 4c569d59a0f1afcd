import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { initial } from './0001-initial/index.ts'

/** A migration sees no row types: it is written for the tables of its release, not for the current ones. */
export interface SchemaStep {
  readonly name: string
  up(db: Kysely<unknown>, engine: Engine): Promise<void>
}

/**
 * Run in this order. A released migration never changes, and later ones only add, because an instance of the previous
 * release may still be running.
 */
export const MIGRATIONS: readonly SchemaStep[] = [{ name: '0001-initial', up: initial }]
