import type { Mutant } from '../mutant.ts'

const RUNNING = ['service/test/process/production-build.test.ts']
const BUILDING = ['service/test/process/build.test.ts']

/** The bundle that runs in production. */
export const PRODUCTION_BUILD: readonly Mutant[] = [
  {
    name: 'a build deletes the files that a running service imports later',
    file: 'scripts/build.ts',
    find: ', ...(previous?.files ?? [])]',
    replace: ']',
    tests: BUILDING,
  },
  {
    name: 'the build has no stylesheets, scripts and pictures',
    file: 'scripts/build.ts',
    find: 'for (const asset of assets) cpSync',
    replace: 'for (const asset of []) cpSync',
    tests: BUILDING,
  },
  {
    name: 'a stack trace of the build names the bundle',
    file: 'scripts/build/stack-traces.ts',
    find: '.replace(LOCATION, sourceOf)',
    replace: '',
    tests: RUNNING,
  },
  {
    name: 'the build shortens the names of classes and functions',
    file: 'scripts/build.ts',
    find: 'keepNames: true',
    replace: 'keepNames: false',
    tests: RUNNING,
  },
  {
    name: 'a start loads openid-client',
    file: 'service/src/identity/openid-discovery.ts',
    find: 'import { isLoopback }',
    replace: "import 'openid-client'\nimport { isLoopback }",
    tests: BUILDING,
  },
  {
    name: 'the supervisor of workers loads the service',
    file: 'service/src/main.ts',
    find: 'import { exitWith }',
    replace: "import '../serve.ts'\nimport { exitWith }",
    tests: ['service/test/process/workers.test.ts'],
    postgres: true,
  },
  {
    name: 'a failure to load openid-client is remembered',
    file: 'service/src/identity/openid-discovery.ts',
    find: '      discovered = undefined\n',
    replace: '',
    tests: BUILDING,
  },
]
