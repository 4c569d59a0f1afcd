import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsIn, storageDocument } from './columns.ts'

const SOURCE = `import type { Id } from './engine.ts'

export interface TenantTables {
  /** Has no other table. */
  tenant_keys: {
    /** The key. Hashed. */
    hash: string
    tenant_id: string
    /**
     * When it stops working; null: it
     * was not replaced.
     */
    expires_at: number | null
  }
}

interface Other {
  ignored: {
    column: number
  }
}
`

const DOCUMENT = `# Storage

## Tenants

### \`tenant_keys\`

Keys of a tenant.

| Column | What it is |
|---|---|
| \`gone\` | A column that was removed. |

They are swept.
`

test('the list of columns is written from the doc comments, and the prose around it stays', () => {
  const document = storageDocument(DOCUMENT, new Map(columnsIn(SOURCE)))
  assert.equal(
    document,
    DOCUMENT.replace(
      '| `gone` | A column that was removed. |',
      [
        '| `hash` | The key. Hashed. |',
        '| `tenant_id` | The tenant. |',
        '| `expires_at` | When it stops working; null: it was not replaced. |',
      ].join('\n'),
    ),
  )
  assert.equal(storageDocument(document, new Map(columnsIn(SOURCE))), document)
})

test('a column without a comment is refused, unless every table has it', () => {
  assert.throws(
    () => columnsIn(SOURCE.replace('    /** The key. Hashed. */\n', '')),
    /The column tenant_keys\.hash has no doc comment/,
  )
})

test('a table without a section, and a section without a row type, are refused', () => {
  assert.throws(
    () => storageDocument('# Storage\n', new Map(columnsIn(SOURCE))),
    /docs\/storage\.md has no section for tenant_keys/,
  )
  assert.throws(
    () => storageDocument(DOCUMENT, new Map()),
    /docs\/storage\.md has a section for tenant_keys, which has no row type/,
  )
})
