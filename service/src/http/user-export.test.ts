import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './user-export.ts'

// proves C327, S047
test('a CSV cell that a spreadsheet would run as a formula gets a leading apostrophe', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r']) {
    const cell = csvLine([`${start}cmd|'/c calc'!A1`]).replace(/^"/, '')
    assert.ok(cell.startsWith(`'${start}`), JSON.stringify(cell))
  }
  assert.equal(
    csvLine(['=HYPERLINK("http://evil","x")']),
    `"'=HYPERLINK(""http://evil"",""x"")"\r\n`,
  )
  assert.equal(
    csvLine(['a=1', 'b+c', 'd-e', 'f@example.com', '7']),
    'a=1,b+c,d-e,f@example.com,7\r\n',
  )
})

test('commas, quotes and line breaks stay inside their CSV cell', () => {
  assert.equal(
    csvLine(['a,b', 'say "hi"', 'two\nlines', '']),
    '"a,b","say ""hi""","two\nlines",\r\n',
  )
})
