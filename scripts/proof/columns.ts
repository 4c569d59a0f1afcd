import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

// docs/storage.md has a section for each table. Its list of columns is written from the row types of the storage: a column is
// explained by the doc comment above it.

/** Columns that are the same in every table need no comment. */
const COMMON: Readonly<Record<string, string>> = {
  tenant_id: 'The tenant.',
  resource_id: 'The resource generation.',
  user_id: 'The user.',
  created_at: 'When it was created.',
}

/** Kysely makes these, so they have no row types; their lists are written by hand. */
const WITHOUT_ROW_TYPE: readonly string[] = ['migrations', 'migration_lock']

/** The columns of a table and what each is, by the name of the table. */
export type Columns = ReadonlyMap<string, ReadonlyMap<string, string>>

/** The columns of every interface whose name ends with `Tables`. */
export function columnsOfRepository(root: string): Columns {
  const files = globSync('service/src/storage/**/*.ts', { cwd: root }).sort()
  return new Map(files.flatMap((file) => columnsIn(readFileSync(path.join(root, file), 'utf8'))))
}

export function columnsIn(source: string): [string, ReadonlyMap<string, string>][] {
  const interfaces = source.matchAll(/^export interface \w*Tables\b.*?^\}/gms)
  const tables = [...interfaces].flatMap(([text]) => [
    ...text.matchAll(/^ {2}(\w+): \{\n(.*?)^ {2}\}/gms),
  ])
  return tables.map(([, table = '', rows = '']) => [table, columnsOf(table, rows)])
}

const COLUMN = /(?:^ {4}\/\*\*((?:(?!\*\/).)*)\*\/\n)?^ {4}(\w+): /gms

function columnsOf(table: string, rows: string): ReadonlyMap<string, string> {
  const columns = [...rows.matchAll(COLUMN)]
  return new Map(
    columns.map(([, comment = '', column = '']) => {
      const text = textOf(comment) || COMMON[column]
      if (text === undefined) {
        throw new Error(`The column ${table}.${column} has no doc comment.`)
      }
      return [column, text]
    }),
  )
}

/** A comment of one or more lines as one line. */
const textOf = (comment: string): string =>
  comment
    .replace(/^ *\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The document, with a list of columns in the section of each table: `### \`name\``. */
export function storageDocument(document: string, columns: Columns): string {
  const undocumented = new Set(columns.keys())
  const sections = document.split(/^(?=###? )/m).map((section) => {
    const [, table = ''] = /^### `(\w+)`/.exec(section) ?? []
    if (table === '' || WITHOUT_ROW_TYPE.includes(table)) {
      return section
    }

    const ofTable = columns.get(table)
    if (ofTable === undefined) {
      throw new Error(`docs/storage.md has a section for ${table}, which has no row type.`)
    }

    undocumented.delete(table)
    return section.replace(/^\| Column \|.*?\n(?!\|)/ms, listOf(ofTable))
  })
  if (undocumented.size > 0) {
    throw new Error(`docs/storage.md has no section for ${[...undocumented].join(', ')}.`)
  }
  return sections.join('')
}

const listOf = (columns: ReadonlyMap<string, string>): string =>
  ['| Column | What it is |', '|---|---|']
    .concat([...columns].map(([column, text]) => `| \`${column}\` | ${text} |`))
    .map((line) => `${line}\n`)
    .join('')
