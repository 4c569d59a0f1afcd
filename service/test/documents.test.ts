import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import * as contract from '@gatehouse-auth/contract'
import {
  AUTH_EVENT_KINDS,
  NAMED_PROVIDERS,
  OPERATOR_PROVIDERS,
  PROVIDERS,
  TOOLS,
  WEBHOOK_TYPES,
} from '@gatehouse-auth/contract'
import { idsOf } from '../../scripts/proof/clauses.ts'
import { generatedDocuments, proofProblems } from '../../scripts/proof.ts'
import { COMMANDS } from '../src/cli/commands.ts'
import { openTestStorage, raw } from './support/postgres/storage.ts'

// Files, tests, settings, columns and links that documents name must exist, so that documents cannot become outdated unnoticed.

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

const DOCUMENTS = [
  ...[
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'AGENTS.md',
    'workshop/README.md',
  ],
  ...globSync('docs/**/*.md', { cwd: ROOT }),
].sort()

/** The inline code of a document, outside code blocks. */
const spansOf = (text: string): string[] =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)

/** The code in the first column of every table of a section. */
const firstColumn = (section: string): string[] =>
  [...section.matchAll(/^\| `([^`|]+)` \|/gm)].map(([, name = '']) => name)

const difference = (a: Iterable<string>, b: Iterable<string>): string[] => {
  const known = new Set(b)
  return [...new Set(a)].filter((each) => !known.has(each)).sort()
}

test('the rooms and imports in ARCHITECTURE.md match the architecture test', () => {
  const section = read('ARCHITECTURE.md').split('## Rooms and arrows')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| `(\w+)` \|[^|]*\| ([^|]*) \|$/gm)]
  const documented = rows.map(
    ([, room = '', imports = '']) => `${room}: ${spansOf(imports).sort().join(', ')}`,
  )

  const [, table = ''] =
    /const ROOMS[^{]*\{(.*?)^\}/ms.exec(read('service/test/architecture.test.ts')) ?? []
  const enforced = [...table.matchAll(/(\w+): \[([^\]]*)\]/g)].map(([, room = '', list = '']) => {
    const imports = [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name)
    return `${room}: ${imports
      .filter((name) => name !== room)
      .sort()
      .join(', ')}`
  })
  assert.deepEqual(documented.sort(), enforced.sort())

  const folders = globSync('service/src/*/', { cwd: ROOT }).map((folder) => path.basename(folder))
  assert.deepEqual(
    ['contract', 'development', ...folders].sort(),
    rows.map(([, room = '']) => room).sort(),
  )
})

/** Paths are relative to the repository, to the sources of the service, or to the document. */
const BASES = ['', 'service/src', 'service']
const FILE =
  /^(?!\/|https?:)(?:[\w.@-]+(\/[\w.@-]+)*\.(ts|js|md|css|example)|[\w.@-]+(\/[\w.@-]+)+\.(json|txt|yaml|cfg|conf))$/
const FOLDER = /^(?!\/)[\w.@-]+(\/[\w.@-]+)*\/$/

test('every file and folder named in a document exists', () => {
  const missing = DOCUMENTS.flatMap((document) =>
    spansOf(read(document))
      .filter((span) => FILE.test(span) || FOLDER.test(span))
      // Written by `npm run build`.
      .filter((span) => !span.startsWith('service/dist/'))
      .filter(
        (span) =>
          ![...BASES, path.dirname(document)].some((base) =>
            existsSync(path.join(ROOT, base, span)),
          ),
      )
      .map((span) => `${document}: ${span}`),
  )
  assert.deepEqual(missing, [])
})

test('every link between documents leads to an existing file and heading', () => {
  const broken = DOCUMENTS.flatMap((document) => {
    const links = [...read(document).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(
      ([, link = '']) => link,
    )
    return links.filter((link) => !resolves(document, link)).map((link) => `${document}: ${link}`)
  })
  assert.deepEqual(broken, [])
})

function resolves(document: string, link: string): boolean {
  const [file = '', heading] = link.split('#')
  const target = file === '' ? document : path.join(path.dirname(document), file)
  if (!existsSync(path.join(ROOT, target))) {
    return false
  }
  return heading === undefined || headingsOf(read(target)).includes(heading)
}

/** The anchors that code hosts generate from headings. */
const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every npm script named in a document exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(/npm (?:run (?:-s )?([a-z:]+)|(start|test)\b)/g)].map(
      ([, script, short]) => script ?? short ?? '',
    ),
  )
  assert.deepEqual(difference(named, Object.keys(scripts)), [])
})

test('docs/proof and the columns of docs/storage.md are current', () => {
  for (const [file, text] of generatedDocuments()) {
    assert.ok(read(file) === text, `${file} is outdated. Run: npm run proof`)
  }
})

test('every promise of SECURITY.md leads to its tests', () => {
  const text = read('SECURITY.md')
  const [, promises = ''] = /^## What we promise$(.*?)^## /ms.exec(text) ?? []
  const bullets = promises.split(/^- /m).slice(1)
  assert.ok(bullets.length > 15)
  assert.deepEqual(
    bullets.filter((bullet) => !/\(docs\/proof\/security\.md#s\d{3}\)/.test(bullet)),
    [],
  )

  const [ours = ''] = read('docs/proof/security.txt').split(/^## OWASP/m)
  const linked = [...text.matchAll(/docs\/proof\/security\.md#([a-z0-9]+)/g)]
  assert.deepEqual(
    difference(
      idsOf(ours),
      linked.map(([, anchor = '']) => anchor.toUpperCase()),
    ),
    [],
    'promises that SECURITY.md does not name',
  )
})

test('every clause and promise is proven by a test, and every id that a test names exists', () => {
  assert.deepEqual(proofProblems(), [])
})

// proves S025
test('docs/storage.md names exactly the tables and columns that exist', async (t) => {
  const { database, close } = await openTestStorage(t, 'sqlite')
  await close()
  const tables = await raw(
    database,
    "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'",
  )
  const stored: string[] = []
  for (const { name } of tables) {
    for (const column of await raw(database, `pragma table_info(${name})`)) {
      stored.push(`${name}.${column.name}`)
    }
  }

  const sections = read('docs/storage.md').split(/^### /m).slice(1)
  const documented = sections.flatMap((section) => {
    const [, table = ''] = /^`(\w+)`/.exec(section) ?? []
    return firstColumn(section.split(/^## /m)[0] ?? '').map((column) => `${table}.${column}`)
  })
  assert.deepEqual(difference(stored, documented), [], 'stored, and not in docs/storage.md')
  assert.deepEqual(difference(documented, stored), [], 'in docs/storage.md, and not stored')
})

test('.env.example names exactly the settings that are read', () => {
  const named = [
    ...read('service/src/config.ts').matchAll(/\b(?:text|number|readDatabaseUrl)\(\s*'([A-Z_]+)'/g),
  ].map(([, name]) => name)
  const ofProviders = OPERATOR_PROVIDERS.flatMap((provider) => {
    const fields = Object.keys(PROVIDERS[provider].operator.settings)
    return ['client_id', 'client_secret', ...fields].map((field) =>
      `${provider}_${field}`.toUpperCase(),
    )
  })
  const settings = [...named, ...ofProviders]
  const shown = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
  assert.deepEqual([...new Set(shown)].sort(), [...new Set(settings)].sort())
})

/** The part of a document between a heading and the next one of its level or above. */
function sectionOf(document: string, heading: string): string {
  const text = read(document)
  const start = text.indexOf(`\n${heading}\n`)
  assert.ok(start >= 0, `${document} has no ${heading}`)
  const [section = ''] = text.slice(start + heading.length + 2).split(/^#{1,2} /m)
  return section
}

test('the documentation lists exactly the kinds of events, the messages about users and the tools', () => {
  const kinds = firstColumn(sectionOf('service/content/docs/events.md', '## Kinds'))
  assert.deepEqual(kinds.toSorted(), AUTH_EVENT_KINDS.toSorted())

  const rows =
    read('service/content/docs/webhooks.md').match(/^\| `(social_login|user)\..*/gm) ?? []
  const types = rows
    .flatMap((row) => spansOf(row))
    .filter((span) => /^(social_login|user)\./.test(span))
  assert.deepEqual(types.toSorted(), WEBHOOK_TYPES.toSorted())

  const tools = firstColumn(sectionOf('service/content/docs/mcp.md', '## Tools'))
  assert.deepEqual(tools.toSorted(), TOOLS.map(({ name }) => name).toSorted())
})

test('service/content/docs/settings.md names every setting of a project', () => {
  const guide = spansOf(read('service/content/docs/settings.md')).join(' ')
  const names = Object.keys(contract.SocialLoginSettings.shape)
  assert.deepEqual(
    names.filter((name) => !guide.includes(name)),
    [],
  )
})

test('/docs/limits has every limit of a tenant an hour and of a network address a minute', () => {
  const sources = globSync('service/src/operations/**/*.ts', { cwd: ROOT }).map(read).join('')
  const limits = [
    ...sources.matchAll(/scope: '([a-z-]+)',\s+per(?:Hour|Minute): (\w+),\s+action: '([^']+)'/g),
  ].map(([, scope = '', number = '', action = '']) => ({ scope, number, action }))

  const scopes = [...read('service/src/domain/limits/counter.ts').matchAll(/^ {2}\| '([a-z-]+)'/gm)]
  assert.deepEqual(
    limits.map(({ scope }) => scope).sort(),
    scopes.map(([, scope]) => scope).sort(),
    'each scope of domain/limits/counter.ts has one limit',
  )

  const page = read('service/content/docs/limits.md')
  const rows = limits.map(
    ({ number, action }) => `| ${action} | ${Reflect.get(contract, number)} |`,
  )
  assert.deepEqual(
    rows.filter((row) => !page.includes(`\n${row}\n`)),
    [],
    'not in service/content/docs/limits.md',
  )
})

test('service/content/docs/providers.md has a section about each provider, and docs/operating.md the settings of its client', () => {
  const text = read('service/content/docs/providers.md')
  const missing = NAMED_PROVIDERS.filter(
    (name) => !text.includes(`\n### ${PROVIDERS[name].label}\n`),
  )
  assert.deepEqual(missing, [])

  const guide = read('docs/operating.md')
  const settings = OPERATOR_PROVIDERS.map((provider) => `${provider.toUpperCase()}_CLIENT_ID`)
  assert.deepEqual(
    settings.filter((name) => !guide.includes(name)),
    [],
  )
})

test('every command of the operator is in the help and in docs/operating.md, and a test runs it', () => {
  const sources = globSync('service/src/cli/*.ts', { cwd: ROOT }).map(read).join('')
  const defined = [...sources.matchAll(/= defineCommand\(\{\n {2}name: '([^']+)'/g)].map(
    ([, name = '']) => name,
  )
  const listed = COMMANDS.map(({ name }) => name)
  assert.deepEqual(defined.toSorted(), listed.toSorted(), 'in the list of cli/commands.ts')

  const guide = read('docs/operating.md')
  assert.deepEqual(
    listed.filter((name) => !guide.includes(name)),
    [],
    'not in docs/operating.md',
  )

  const tests = globSync('service/test/**/*.test.ts', { cwd: ROOT }).map(read).join('')
  const isRun = (name: string): boolean => {
    const words = name.split(' ').map((word) => `'${word}'`)
    return new RegExp(words.join(',\\s*')).test(tests)
  }
  assert.deepEqual(
    listed.filter((name) => !isRun(name)),
    [],
    'run by no test',
  )
})

const DECISIONS = globSync('docs/decisions/[0-9]*.md', { cwd: ROOT }).sort()

test('every decision is in the index and has a unique number, context, decision and consequences', () => {
  const index = read('docs/decisions/README.md')
  const unlisted = DECISIONS.filter((file) => !index.includes(`(${path.basename(file)})`))
  assert.deepEqual(unlisted, [])
  const numbers = DECISIONS.map((file) => Number(path.basename(file).slice(0, 4)))
  assert.equal(new Set(numbers).size, numbers.length, 'two decisions have the same number')
  const indexed = [...index.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number))
  assert.deepEqual(
    indexed.toSorted((a, b) => a - b),
    indexed.map((_, at) => at + 1),
    'the index lists every number once: a decision keeps its number when it moves elsewhere',
  )
  for (const file of DECISIONS) {
    const text = read(file)
    assert.match(text, new RegExp(`^# ${Number(path.basename(file).slice(0, 4))}\\. `), file)
    for (const part of ['Context', 'Decision', 'Consequences']) {
      assert.ok(text.includes(`**${part}.**`), `${file}: ${part}`)
    }
  }
})

// proves S036
test('every dependency has a row in decision 2 and a reason in the linked document', () => {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
  const packages = ['', ...workspaces, 'workshop'].map(
    (folder) =>
      JSON.parse(read(path.join(folder, 'package.json'))) as {
        dependencies?: object
        devDependencies?: object
      },
  )
  const used = packages.flatMap(({ dependencies = {}, devDependencies = {} }) =>
    Object.keys({ ...dependencies, ...devDependencies }),
  )
  const external = used.filter(
    (name) => !name.startsWith('@gatehouse-auth/') && !name.startsWith('@types/'),
  )
  const without = external.filter((name) => !reasonFor(name).includes(`\`${name}\``))
  assert.deepEqual(without, [])
})

/** The document that the row of a dependency links to; empty without a row. */
function reasonFor(dependency: string): string {
  const table = 'docs/decisions/0002-justify-every-dependency.md'
  const row = read(table)
    .split('\n')
    .find((line) => line.startsWith('| ') && line.includes(`\`${dependency}\``))
  const [, link] = /\]\(([^)#]+)[^)]*\) \|$/.exec(row ?? '') ?? []
  return link === undefined ? '' : read(path.join(path.dirname(table), link))
}
