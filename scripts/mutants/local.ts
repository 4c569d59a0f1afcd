// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { Mutant } from './mutant.ts'

/** The command-line tool and the local MCP server. */
export const LOCAL: readonly Mutant[] = [
  {
    name: 'the command must be the first argument',
    file: 'local/src/cli/split-command.ts',
    find: "const verb = tokens.find(({ kind }) => kind === 'positional')",
    replace: "const verb = tokens.slice(0, 1).find(({ kind }) => kind === 'positional')",
    tests: ['local/test/invocation.test.ts'],
  },
  {
    name: 'hints name the installed command to users of npx',
    file: 'local/src/invocation.ts',
    find: 'return named === null ? `npx --no ${BIN}` : `npx ${quoted(named)}`',
    replace: 'return BIN',
    tests: ['local/test/invocation.test.ts'],
  },
  {
    name: 'Ctrl-C ends init without removing its lock',
    file: 'local/src/cli/run.ts',
    find: 'if (command.endsOnSignal !== true) listenForInterruption()',
    replace: '',
    tests: ['local/test/interruption.test.ts'],
  },
  {
    name: 'a failed init leaves its entries in .gitignore',
    file: 'local/src/project/create-tenant.ts',
    find: 'if (!(await hasPrivateFile(root))) await restoreIgnore()',
    replace: '',
    tests: ['local/test/creation.test.ts'],
  },
  {
    name: 'a failed init removes what another program wrote to .gitignore',
    file: 'local/src/credentials/gitignore.ts',
    find: "if ((await readIgnore(file)) !== `${before ?? ''}${addition}`) return",
    replace: '',
    tests: ['local/test/creation.test.ts'],
  },
  {
    name: 'status reports the tenant of a foreign key as the one in .service',
    file: 'local/src/api/tenants.ts',
    find: 'if (status.tenant_id === tenant_id) return status',
    replace: 'if (status.tenant_id !== undefined) return status',
    tests: ['local/test/creation.test.ts'],
  },
  {
    name: 'a package from a service creates tenants at the default address',
    file: 'local/src/service-url.ts',
    find: "readServiceUrl(servedFrom({ file: process.argv[1] ?? '' }) ?? '') ?? DEFAULT_URL",
    replace: 'DEFAULT_URL',
    tests: ['local/test/invocation.test.ts'],
  },
  {
    name: 'a login link that works only with redirect_uri is printed without a warning',
    file: 'local/src/api/wildcard-callbacks.ts',
    find: "if (first === undefined || !callbackUrls.every((url) => url.includes('//*.'))) return null",
    replace: 'if (first !== undefined) return null',
    tests: ['local/test/callbacks.test.ts'],
  },
  {
    name: 'init --framework overwrites files',
    file: 'local/src/recipes/write-recipe.ts',
    find: "{ flag: 'wx' }",
    replace: "{ flag: 'w' }",
    tests: ['local/test/frameworks.test.ts'],
  },
  {
    name: 'init --framework replaces registered callbacks',
    file: 'local/src/project/set-up-framework.ts',
    find: '(await readSocialLogin(project)) ?? (await provision(project, { callback_urls: [callback_url] }))',
    replace: 'await provision(project, { callback_urls: [callback_url] })',
    tests: ['local/test/frameworks.test.ts'],
  },
  {
    name: 'env prints a secret that is always the same',
    file: 'local/src/cli/commands/env.ts',
    find: 'randomBytes(32)',
    replace: 'Buffer.alloc(32)',
    tests: ['local/test/frameworks.test.ts'],
  },
  {
    name: 'dev opens the login page of another program',
    file: 'local/src/cli/commands/dev.ts',
    find: '.startsWith(`${service}/edge/auth/`)',
    replace: '.length > 0',
    tests: ['local/test/dev.test.ts'],
  },
  {
    name: 'the secret of a webhook is readable for other users',
    file: 'local/src/credentials/webhook-secret.ts',
    find: 'await writePrivate(path, `GATEHOUSE_WEBHOOK_SECRET=${secret}\\n`)',
    replace:
      "await import('node:fs/promises').then((fs) => fs.writeFile(path, `GATEHOUSE_WEBHOOK_SECRET=${secret}\\n`))",
    tests: ['local/test/management.test.ts'],
  },
  {
    name: 'brand clears the fields that an argument does not name',
    file: 'local/src/cli/commands/brand.ts',
    find: 'name: current?.name ?? null',
    replace: 'name: null',
    tests: ['local/test/brand.test.ts'],
  },
]
