// For distribution.test.ts: the tables that a statement reads without naming the tenant.
import type { Client } from 'pg'
import { DISTRIBUTED } from './distribution.ts'

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Node Type': string
  readonly Plans?: readonly PlanNode[]
  readonly [detail: string]: unknown
}

/** The conditions with which a plan node selects rows. */
const CONDITIONS = ['Index Cond', 'Recheck Cond', 'Filter', 'Hash Cond', 'Join Filter']

/**
 * The distributed tables that one statement reads without an equality on the distribution column or on the resource,
 * which determines the tenant; and those into which it inserts without the column.
 */
export async function unroutedTables(client: Client, sql: string): Promise<string[]> {
  const tables = new Set<string>()
  const inserted = /^insert into "?(\w+)"? \(([^)]*)\)/.exec(sql)
  const [, target = '', columns = ''] = inserted ?? []
  const column = DISTRIBUTED[target]
  if (column !== undefined && !columns.replaceAll('"', '').split(', ').includes(column)) {
    tables.add(target)
  }

  await client.query('set enable_seqscan = off')
  const { rows } = await client.query(`explain (generic_plan, format json) ${sql}`)
  for (const [{ Plan }] of rows.map((row) => row['QUERY PLAN'] as [{ Plan: PlanNode }])) {
    collect(Plan, tables)
  }
  return [...tables]
}

function collect(node: PlanNode, tables: Set<string>): void {
  const table = node['Relation Name']
  if (table !== undefined && node['Node Type'] !== 'ModifyTable' && table in DISTRIBUTED) {
    const conditions = CONDITIONS.map((name) => String(node[name] ?? '')).join(' ')
    if (!selects(conditions, DISTRIBUTED[table] ?? '')) {
      tables.add(table)
    }
  }
  for (const child of node.Plans ?? []) {
    collect(child, tables)
  }
}

/** `tenant_id = $1`, `(t.tenant_id)::text = $1`, `scope = ANY (…)` or the same of `resource_id`. */
const selects = (conditions: string, column: string): boolean =>
  new RegExp(`\\b(?:${column}|resource_id)\\)?(?:::text)? = (?!any \\(hashed)`, 'i').test(
    conditions,
  )

/**
 * The same for the text of a function, whose statements no plan shows: each `update`, `from` or `join` of a distributed
 * table is followed by an equality of its alias.
 */
export function unroutedTablesOfFunction(source: string): string[] {
  return [
    ...source.matchAll(/\b(?:update|from|join) (\w+)(?: (?!set\b|where\b|on\b)(\w+))?/g),
  ].flatMap((match) => {
    const [, table = '', alias] = match
    const column = DISTRIBUTED[table]
    if (column === undefined) {
      return []
    }
    const qualified = alias === undefined ? '' : `${alias}\\.`
    const isSelected = new RegExp(`[\\s(]${qualified}(?:${column}|resource_id) = `).test(
      source.slice(match.index),
    )
    return isSelected ? [] : [table]
  })
}
