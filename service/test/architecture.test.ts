import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { AUTH_EVENT_KINDS } from '@gatehouse-auth/contract'
import { groupsOf } from '../../scripts/test/group.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The imports that each room may use, as in the table of ARCHITECTURE.md. */
const ROOMS: Record<string, readonly string[]> = {
  contract: ['contract', 'zod'],
  // `node:url` for its Punycode (`domainToASCII`, `domainToUnicode`), `node:zlib` for the checksums of a PNG: pure functions, no I/O.
  domain: [
    'domain',
    'contract',
    'node:crypto',
    'node:url',
    'node:zlib',
    'tldts',
    'unhomoglyph',
    'service/content/well-known-brands.json',
    'service/content/tenant-words.json',
  ],
  operations: ['operations', 'domain', 'contract'],
  identity: ['identity', 'domain', 'openid-client', 'node:*'],
  // The stand-ins of the providers: no part of a production service.
  development: [
    'development',
    'identity',
    'domain',
    'oidc-provider',
    'oidc-provider/*',
    'hono/html',
    'node:*',
  ],
  storage: [
    'storage',
    'domain',
    'contract',
    'kysely',
    'kysely/migration',
    'pg',
    'node:*',
    'service/src/folders.ts',
  ],
  cli: ['cli', 'operations', 'domain', 'contract', 'node:*', 'service/src/keys.ts'],
  http: [
    'http',
    'operations',
    'domain',
    'contract',
    'zod',
    'hono',
    'hono/*',
    '@hono/node-server',
    '@modelcontextprotocol/server',
    'marked',
    'minisearch',
    'node:*',
    'service/src/folders.ts',
    'service/src/version.ts',
    'service/content/languages/*',
    'service/content/docs/search.json',
  ],
}

/** The composition root: these files may import every room. */
const COMPOSITION_ROOT = [
  'service/src/app.ts',
  'service/src/identity-for.ts',
  'service/src/main.ts',
  'service/src/serve.ts',
  'service/src/config.ts',
  'service/src/folders.ts',
  'service/src/keys.ts',
  'service/src/log.ts',
  'service/src/operator.ts',
  'service/src/version.ts',
  'service/src/gatehouse.ts',
  'service/src/workers.ts',
]

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g

const sources = globSync(
  ['contract/src/**/*.ts', 'service/src/**/*.ts', 'service/development/**/*.ts'],
  {
    cwd: ROOT,
  },
).filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))

function roomOf(file: string): string | null {
  if (file.startsWith('contract/')) {
    return 'contract'
  }
  const [, inSource, development] = /^service\/(?:src\/([a-z]+)|(development))\//.exec(file) ?? []
  return inSource ?? development ?? null
}

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

/** Every source and test file, with the files that it imports. */
function importGraph(): Map<string, string[]> {
  const files = globSync('{contract,examples,local,scripts,sdk,service,workshop}/**/*.{ts,js}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
  assert.ok(files.includes('service/src/app.ts'), 'the sources are found')
  return new Map(
    files.map((file) => {
      const specifiers = importsOf(file).filter((specifier) => specifier.startsWith('.'))
      return [file, specifiers.map((specifier) => path.join(path.dirname(file), specifier))]
    }),
  )
}

const graph = importGraph()

/** The room of a relative import, or the package. */
function target(file: string, specifier: string): string {
  if (/^@gatehouse-auth\/contract(\/|$)/.test(specifier)) {
    return 'contract'
  }
  if (!specifier.startsWith('.')) {
    return specifier
  }
  const imported = path.join(path.dirname(file), specifier)
  return roomOf(imported) ?? imported
}

const allows = (allowed: string, wanted: string): boolean =>
  allowed === wanted || (allowed.endsWith('*') && wanted.startsWith(allowed.slice(0, -1)))

test('every import is allowed by the architecture', () => {
  const wrong = sources.flatMap((file) => {
    if (COMPOSITION_ROOT.includes(file)) {
      return []
    }
    const room = roomOf(file)
    const mayImport = room === null ? undefined : ROOMS[room]
    if (room === null || mayImport === undefined) {
      return [`${file} is in no room: ${Object.keys(ROOMS).join(', ')}`]
    }
    return importsOf(file)
      .map((specifier) => target(file, specifier))
      .filter((wanted) => !mayImport.some((allowed) => allows(allowed, wanted)))
      .map((wanted) => `${file} → ${wanted}: ${room} may import ${mayImport.join(', ')}`)
  })
  assert.deepEqual(wrong, [])
})

test('a production build finds its files and leaves out what it does not use', () => {
  const matching = (pattern: RegExp): string[] =>
    sources.filter((file) => pattern.test(readFileSync(path.join(ROOT, file), 'utf8')))
  // In service/dist all files are in one folder. One is in service/src itself, the other resolves a package.
  assert.deepEqual(matching(/\bimport\.meta\b/).sort(), [
    'service/development/openid/load-oidc-provider.ts',
    'service/src/folders.ts',
  ])
  assert.deepEqual(
    matching(/^import \{.*\} from 'zod'/m),
    [],
    'import * as z: otherwise every language of zod is included',
  )
})

test('a feature has one word, in domain, operations and storage', () => {
  const table = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8')
    .split('\n## Features')[1]
    ?.split('\n## ')[0]
  const words = [...(table ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, word = '']) => word)
  const expected = (others: readonly string[]): string[] => [...words, ...others].sort()
  const foldersOf = (room: string): string[] => {
    const files = sources.filter((file) => file.startsWith(`service/src/${room}/`))
    const below = files.map((file) => file.split('/').slice(3))
    const folders = below.filter(({ length }) => length > 1).map(([folder = '']) => folder)
    return [...new Set(folders)].sort()
  }
  const filesOf = (folder: string): string[] =>
    sources
      .filter((file) => path.dirname(file) === `service/src/${folder}`)
      .map((file) => path.basename(file, '.ts'))
      .sort()

  assert.ok(words.length > 10)
  assert.deepEqual(foldersOf('operations'), expected([]))
  assert.deepEqual(
    foldersOf('domain'),
    expected(['callbacks', 'network', 'revocation', 'stores', 'tokens']),
  )
  assert.deepEqual(foldersOf('storage'), expected(['maintenance', 'postgres', 'sqlite', 'tables']))
  assert.deepEqual(filesOf('domain/stores'), expected(['stores']))
  assert.deepEqual(filesOf('storage/tables'), expected(['tables']))
})

test('domain reads no clock and no randomness', () => {
  const impure = sources
    .filter((file) => roomOf(file) === 'domain')
    .filter((file) =>
      /\bDate\.now\(|new Date\(\)|Math\.random\(|randomBytes\(/.test(
        readFileSync(path.join(ROOT, file), 'utf8'),
      ),
    )
  assert.deepEqual(impure, [])
})

test('http does not access a store directly', () => {
  const direct = sources
    .filter((file) => roomOf(file) === 'http')
    .filter((file) =>
      /\bstores\./.test(readFileSync(path.join(ROOT, file), 'utf8').replace(/from '[^']*'/g, '')),
    )
  assert.deepEqual(direct, [])
})

test('no page imports the routes of the API', () => {
  const wrong = sources
    .filter((file) => file.startsWith('service/src/http/console/'))
    .flatMap((file) => importsOf(file).map((specifier) => `${file} → ${target(file, specifier)}`))
    .filter((arrow) => arrow.includes('→ service/src/http/control/'))
  assert.deepEqual(wrong, [])
})

test('no statement names all columns of a table: prepared, it would fail when a newer release adds one', () => {
  const all = sources.filter((file) =>
    /\b(?:select|returning)All\(/.test(readFileSync(path.join(ROOT, file), 'utf8')),
  )
  assert.deepEqual(all, [])
})

test('oidc-provider is imported only by the development provider, and node:sqlite by one file', () => {
  const users = (name: string) =>
    sources.filter((file) => importsOf(file).some((specifier) => specifier.startsWith(name)))
  assert.ok(users('oidc-provider').every((file) => file.startsWith('service/development/')))
  assert.equal(users('node:sqlite').length, 1)
})

test('every export of the service is imported by another file', () => {
  const texts = [...graph.keys()].map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
  const words = new Map<string, number>()
  for (const word of texts.flatMap((text) => [...new Set(text.match(/[A-Za-z_$][\w$]*/g))])) {
    words.set(word, (words.get(word) ?? 0) + 1)
  }
  const inService = sources.filter((file) => file.startsWith('service/src/'))
  const unused = inService.flatMap((file) =>
    [
      ...readFileSync(path.join(ROOT, file), 'utf8').matchAll(
        /^export (?:async )?(?:function\*?|const|class|interface|type) ([\w$]+)/gm,
      ),
    ]
      .map(([, name = '']) => name)
      .filter((name) => (words.get(name) ?? 0) < 2)
      .map((name) => `${file} ${name}`),
  )
  assert.deepEqual(unused, [])
})

test('nothing outside the workshop imports it', () => {
  const isInWorkshop = (file: string): boolean => file.startsWith('workshop/')
  const wrong = [...graph].flatMap(([file, imported]) =>
    isInWorkshop(file) ? [] : imported.filter(isInWorkshop).map((each) => `${file} → ${each}`),
  )
  assert.deepEqual(wrong, [])
})

test('there are no import cycles, not even of types', () => {
  const cycles: string[] = []
  const finished = new Set<string>()
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '))
    }
    if (trail.includes(file) || finished.has(file)) {
      return
    }
    for (const imported of graph.get(file) ?? []) {
      visit(imported, [...trail, file])
    }
    finished.add(file)
  }
  for (const file of graph.keys()) {
    visit(file, [])
  }
  assert.deepEqual(cycles, [])
})

test('of the tests of the service, only those in the folder browser can open a browser', () => {
  const reached = (file: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(file)) {
      return seen
    }
    seen.add(file)
    for (const imported of graph.get(file) ?? []) {
      reached(imported, seen)
    }
    return seen
  }
  const tests = [...graph.keys()].filter((file) => /^service\/.*\.test\.ts$/.test(file))
  const opening = tests.filter((file) =>
    reached(file).has('service/test/support/actors/chromium.ts'),
  )
  assert.ok(opening.includes('service/test/browser/sign-in.test.ts'), 'the tests are found')
  assert.deepEqual(
    opening.filter((file) => !file.startsWith('service/test/browser/')),
    [],
  )
})

/** Helpers of tests that wait for a time, and why. Fault experiments and their helpers are about time. */
const WAITS_FOR_A_TIME: Readonly<Record<string, string>> = {
  'local/test/support/command.ts': 'polls the output of a process',
  'service/test/http/throwing-server.ts': 'throws from a timer, which is what its test is about',
  'service/test/support/actors/button-page.ts': 'the time between the presses of a double click',
  'service/test/support/ledger/invariants.ts':
    'polls until a revocation has reached every instance',
  'service/test/support/process/service-process.ts':
    'polls the output of a process, and bounds its end',
  'service/test/support/process/wait-until.ts': 'polls a condition',
  'service/test/support/proxies/proxied-traffic.ts': 'users pause between requests',
  'service/test/support/transport/free-port.ts': 'releases a reserved port',
  'service/test/support/transport/latency-proxy.ts': 'is a slow network',
  'service/test/support/transport/raw-http.ts': 'bounds the wait for a response',
}

test('no test depends on a time that passes, on chance or on a fixed port', () => {
  const isFault = /^(?:service\/test|service\/test\/support|workshop)\/faults\//
  const files = [...graph.keys()].filter(
    (file) =>
      (/\.test\.ts$/.test(file) || /^(?:service|local|sdk)\/test\//.test(file)) &&
      !isFault.test(file),
  )
  const matching = (pattern: RegExp): string[] =>
    files.filter((file) => pattern.test(readFileSync(path.join(ROOT, file), 'utf8'))).sort()
  assert.deepEqual(matching(/\b(?:sleep|setTimeout)\(/), Object.keys(WAITS_FOR_A_TIME).sort())
  // Which rows are checked after a fault, ports of processes and pauses of users: nothing compares them.
  assert.deepEqual(matching(/\bMath\.random\(/), [
    'service/test/support/ledger/invariants.ts',
    'service/test/support/process/service-process.ts',
    'service/test/support/proxies/proxied-traffic.ts',
  ])
  // It gives what tests generate a seed.
  assert.deepEqual(matching(/from 'fast-check'$/m), ['service/test/support/generated.ts'])
  assert.deepEqual(matching(/\.listen\(\s*(?:\{[^}]*\bport:\s*)?[1-9]/), [])
})

test('every kind of event has one constructor, which the service calls', () => {
  const file = 'service/src/domain/events/auth-event.ts'
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  const constructors = text.split(/^export (?:const|function) /m).flatMap((part) => {
    const [, name = '', kind = ''] = /^(\w+)[\s\S]*?^\s+event: '(\w+)'/m.exec(part) ?? []
    return kind === '' ? [] : [{ name, kind }]
  })
  assert.deepEqual(
    constructors.map(({ kind }) => kind).sort(),
    [...AUTH_EVENT_KINDS].sort(),
    `in ${file}`,
  )

  const others = sources.filter((each) => each !== file)
  const code = others.map((each) => readFileSync(path.join(ROOT, each), 'utf8')).join('')
  const unused = constructors.filter(({ name }) => !code.includes(`${name}(`))
  assert.deepEqual(unused, [], 'called by nothing')
})

test('ARCHITECTURE.md names every room', () => {
  const text = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  assert.deepEqual(
    Object.keys(ROOMS).filter((room) => !text.includes(`\`${room}\``)),
    [],
  )
})

test('every test file belongs to a group of the runner, and every pattern of a group has a file', () => {
  const byPattern = groupsOf('all')
    .flatMap(({ files }) => files)
    .map((pattern) => ({ pattern, files: globSync(pattern, { cwd: ROOT }) }))
  assert.deepEqual(
    byPattern.filter(({ files }) => files.length === 0),
    [],
  )
  const grouped = new Set(byPattern.flatMap(({ files }) => files))
  const files = globSync('{contract,service,sdk,local,examples,scripts,workshop}/**/*.test.ts', {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules',
  })
  assert.ok(files.includes('service/test/architecture.test.ts'), 'the tests are found')
  assert.deepEqual(
    files.filter((file) => !grouped.has(file)),
    [],
  )
})
