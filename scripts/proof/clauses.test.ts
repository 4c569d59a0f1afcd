import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsOf, problemsOf, proofPage, proofsIn } from './clauses.ts'

const SOURCE = `# Clauses

## Sessions

C001 A session ends
  at logout.
RFC 9700 4.14 Refresh tokens rotate.
`

const proof = (id: string, title = 'logout ends the session') => ({ id, file: 'a.test.ts', title })

test('a comment directly above a test names what it proves, also on several lines', () => {
  const source = [
    '  // proves C001, S002',
    '  // proves ASVS 7.4.1',
    `  test(\`[\${engine}] at \${px} px it's so\`, async () => {})`,
  ].join('\n')
  assert.deepEqual(
    proofsIn('a.test.ts', source),
    ['C001', 'S002', 'ASVS 7.4.1'].map((id) => proof(id, "at … px it's so")),
  )
})

test('a title may stand on a line of its own', () => {
  const source = "// proves C001\ntest(\n  'logout doesn\\'t fail',\n  { skip: slow },\n"
  assert.deepEqual(proofsIn('a.test.ts', source), [proof('C001', "logout doesn't fail")])
})

test('a comment that is not directly above a test is refused', () => {
  assert.throws(
    () => proofsIn('a.test.ts', '// proves C001\n\nconst subject = 1\n'),
    /a\.test\.ts: no test is directly below "\/\/ proves C001"/,
  )
})

test('a page has a heading for each id, its text and the tests that prove it', () => {
  const page = proofPage(SOURCE, [proof('C001'), proof('RFC 9700 4.14', 'a refresh rotates')])
  assert.equal(
    page.slice(page.indexOf('# Clauses')),
    `# Clauses

## Sessions

### C001

A session ends
at logout.

- \`a.test.ts › logout ends the session\`

### RFC 9700 4.14

Refresh tokens rotate.

- \`a.test.ts › a refresh rotates\`
`,
  )
})

test('an id that does not exist, one that no test names and one that is defined twice are problems', () => {
  assert.deepEqual(problemsOf([...idsOf(SOURCE), 'C001'], [proof('C001'), proof('S999')]), [
    'a.test.ts › logout ends the session: S999 does not exist',
    'RFC 9700 4.14: no test names it',
    'C001: defined twice',
  ])
})
