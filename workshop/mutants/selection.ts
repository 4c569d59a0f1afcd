import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Bytes. A changed generated file is larger than the default. */
const GIT_OUTPUT_MAX = 64 << 20

/** Which lines of each file are mutated. */
export type Selection = ReadonlyMap<string, (line: number) => boolean>

/** All lines of files and folders. */
export const selectPaths = (paths: readonly string[]): Selection =>
  new Map(paths.flatMap(sourcesIn).map((file) => [file, () => true]))

function sourcesIn(fileOrFolder: string): readonly string[] {
  const isFolder = statSync(path.join(ROOT, fileOrFolder)).isDirectory()
  const files = isFolder
    ? globSync(path.join(fileOrFolder, '**/*.ts'), { cwd: ROOT })
    : [path.normalize(fileOrFolder)]
  return files.filter(isSource).sort()
}

export const isSource = (file: string): boolean =>
  /^(service|contract)\/src\/.*\.ts$/.test(file) && !file.endsWith('.test.ts')

/** The lines that differ from a commit, if none is given from the merge base with main or, on main itself, the one before. */
export function selectChanges(since: string | undefined): Selection {
  const git = (...command: readonly string[]): string =>
    execFileSync('git', command, { cwd: ROOT, encoding: 'utf8', maxBuffer: GIT_OUTPUT_MAX }).trim()
  const mergeBase = git('merge-base', 'HEAD', 'main')
  const base = since ?? (mergeBase === git('rev-parse', 'HEAD') ? 'HEAD~' : mergeBase)
  process.stdout.write(`Changes since ${git('log', '-1', '--format=%h %s', base)}\n`)
  const lines = new Map<string, Set<number>>()
  let file = ''
  for (const line of git(
    'diff',
    '-U0',
    '--no-renames',
    base,
    '--',
    'service/src',
    'contract/src',
  ).split('\n')) {
    file = /^\+\+\+ b\/(.*)/.exec(line)?.[1] ?? file
    const hunk = /^@@ \S+ \+(\d+),?(\d*)/.exec(line)
    if (hunk === null || !isSource(file)) {
      continue
    }
    const [, from, count] = hunk
    const numbers = Array.from({ length: Number(count || 1) }, (_, index) => Number(from) + index)
    lines.set(file, (lines.get(file) ?? new Set()).union(new Set(numbers)))
  }
  const added = git('ls-files', '--others', '--exclude-standard').split('\n').filter(isSource)
  return new Map([
    ...[...lines].map(([name, changed]) => [name, (line: number) => changed.has(line)] as const),
    ...added.map((name) => [name, () => true] as const),
  ])
}
