import { commandLine } from '../invocation.ts'
import type { FrameworkSetup } from '../project/set-up-framework.ts'
import { FRAMEWORKS, type Framework } from '../recipes/frameworks.ts'
import type { CommandIo } from './command-io.ts'

/** What init --framework wrote and skipped, and the steps from here to the first sign-in. */
export function frameworkLines({ colors }: CommandIo, service: string, setup: FrameworkSetup): string[] {
  const { name, written, skipped, callback_url, callback_registered } = setup
  const { packages = '', start, note }: Framework = FRAMEWORKS[name]
  // A project with "type": "commonjs" got server.mjs.
  const startCommand = written.includes('server.mjs') ? start.replace('.js', '.mjs') : start
  const install = `npm install ${service}/packages/sdk.tgz ${packages}`.trimEnd()
  return [
    ...written.map((file) => `  ${colors.green('wrote')}        ${file}`),
    ...skipped.map(({ file, exists }) => `  ${colors.yellow('skipped')}      ${file}: ${same(file, exists)}`),
    ...(skipped.length === 0 ? [] : [`               Compare with ${service}/docs/recipes/${name}`]),
    callback_registered
      ? `  Callback     ${callback_url}`
      : `  ${colors.yellow('Callback')}     ${callback_url} is not registered: ${commandLine(`provision --add ${callback_url}`)}`,
    `  Next         ${install}`,
    ...(note === undefined ? [] : [`               ${note}`]),
    `               ${startCommand}`,
    `               ${commandLine('dev')}`,
  ]
}

const same = (file: string, exists: string): string => (file === exists ? 'it exists' : `${exists} exists`)
