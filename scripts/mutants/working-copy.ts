import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const WORKSPACE_SCOPE = '@gatehouse'

/** A copy of the repository's tracked files that can be sabotaged. It shares the installed packages. */
export function workingCopy(root: string): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'gatehouse-mutant-'))
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  for (const file of tracked) if (file !== '') cpSync(path.join(root, file), path.join(copy, file))
  // Built, not tracked: the service serves them.
  cpSync(path.join(root, 'service/packages'), path.join(copy, 'service/packages'), { recursive: true })
  for (const folder of ['.', ...packagesOf(root)]) linkPackages(path.join(root, folder), path.join(copy, folder))
  linkWorkspace(root, copy)
  return copy
}

const packagesOf = (root: string): string[] =>
  readdirSync(path.join(root, 'node_modules', WORKSPACE_SCOPE)).map((name) =>
    path.relative(root, realpathSync(path.join(root, 'node_modules', WORKSPACE_SCOPE, name))),
  )

function linkPackages(from: string, to: string): void {
  const installed = path.join(from, 'node_modules')
  let names: string[]
  try {
    names = readdirSync(installed)
  } catch {
    return
  }
  mkdirSync(path.join(to, 'node_modules'), { recursive: true })
  for (const name of names) {
    if (name !== WORKSPACE_SCOPE) symlinkSync(path.join(installed, name), path.join(to, 'node_modules', name))
  }
}

/** The workspace's own packages resolve to the copy, or a sabotage in `contract` would have no effect. */
function linkWorkspace(root: string, copy: string): void {
  const scope = path.join(copy, 'node_modules', WORKSPACE_SCOPE)
  mkdirSync(scope, { recursive: true })
  for (const folder of packagesOf(root)) symlinkSync(path.join(copy, folder), path.join(scope, path.basename(folder)))
}
