import { lstat, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { notWritable } from '../credentials/draft.ts'
import { type FoundApp, readSmall } from './find-app.ts'
import { type Edit, FRAMEWORKS, type Framework } from './frameworks.ts'
import { withCallbackPath } from './write-recipe.ts'

/** What a file of the app needs. */
export interface Patch {
  readonly file: string
  readonly before: string
  readonly after: string
  /** A unified diff, for reading and for `patch -p0`. */
  readonly diff: string
}

/** The lines that the app needs. `missing`: a place was not found, so the developer has to find it. */
export interface Patches {
  readonly patches: readonly Patch[]
  readonly missing: boolean
  /** The app has them already. */
  readonly done: boolean
}

interface PatchOptions {
  /** The recipe's example pages are there, too. */
  readonly withExample: boolean
  readonly callbackPath: string
}

export async function patchesFor(
  root: string,
  app: FoundApp,
  { withExample, callbackPath }: PatchOptions,
): Promise<Patches> {
  const framework: Framework = FRAMEWORKS[app.name]
  if (app.entry !== null && MENTIONS.test(await readSmall(root, app.entry)))
    return { patches: [], missing: false, done: true }
  const wanted = (framework.edits ?? []).filter(([edit]) => withExample || edit?.example === undefined)
  const fileOf = ([edit]: readonly Edit[]): string => edit?.file ?? app.entry ?? ''
  let missing = framework.creates !== undefined && (app.entry === null || framework.edits === undefined)
  const patches: Patch[] = []
  for (const file of new Set(wanted.map(fileOf))) {
    const before = await readSmall(root, file)
    if (before === '' || MENTIONS.test(before)) continue
    const choices = wanted.filter((edits) => fileOf(edits) === file)
    const dot = (await readdir(path.join(root, path.dirname(file)))).includes('__init__.py') ? '.' : ''
    const changes = choices.map((edits) => placeOf(before, framework, edits, dot)).filter((change) => change !== null)
    if (changes.length < choices.length) missing = true
    else
      patches.push(
        patchOf(
          file,
          before,
          changes.map((change) => withCallback(change, callbackPath)),
        ),
      )
  }
  return { patches, missing, done: false }
}

/** A file that uses a recipe. The Go recipe is in the package of the app, so no import names it. */
const MENTIONS = /gatehouse|\bwithSignIn\(/i

const withCallback = (change: Change, callbackPath: string): Change => ({
  ...change,
  lines: change.lines.map((line) => withCallbackPath(line, callbackPath)),
})

interface Change {
  /** The index of the line before which the new lines go. */
  readonly line: number
  readonly removes: 0 | 1
  readonly lines: readonly string[]
}

/** The first of these edits whose place is in the text. */
function placeOf(text: string, { creates }: Framework, edits: readonly Edit[], dot: string): Change | null {
  const app = creates?.statement.exec(text)?.groups?.app ?? 'app'
  for (const { place, of, lines } of edits) {
    const found = of.exec(text)
    if (found === null) continue
    const end = place === 'after' ? endOfStatement(text, found.index) : found.index
    if (end === null) continue
    const line = text.slice(0, end).split('\n').length - 1
    // With `m`, \s at the start of a pattern also matches the line break before.
    const first = place === 'instead' && text[found.index] === '\n' ? line + 1 : line
    const source = text.split('\n')[place === 'after' ? lineOf(text, found.index) : first] ?? ''
    const isImport = /^(import|from|const \{)/.test(lines[0] ?? '')
    const [indent = ''] = isImport ? [] : (/^[ \t]*/.exec(source) ?? [])
    const ending = /;\s*$/.test(text.slice(0, end).split('\n').at(-1) ?? '') && place === 'after' ? ';' : ''
    return {
      line: place === 'after' ? line + 1 : first,
      removes: place === 'instead' ? 1 : 0,
      lines: lines.map(
        (each) => `${indent}${fill(each, { ...found.groups, app, dot })}${each.endsWith(';') ? '' : ending}`,
      ),
    }
  }
  return null
}

const fill = (line: string, values: Readonly<Record<string, string>>): string =>
  line.replaceAll(/\{(\w+)\}/g, (written, name: string) => values[name] ?? written)

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length - 1

const OPENING = '([{'
const CLOSING = ')]}'

/** The end of the line on which the statement at this index ends. null: it continues in a chain of calls. */
function endOfStatement(text: string, from: number): number | null {
  let depth = 0
  let quote: string | null = null
  for (let index = from; index <= text.length; index++) {
    const char = text[index] ?? '\n'
    if (quote !== null) {
      if (char === '\\') index++
      else if (char === quote || (char === '\n' && quote !== '`')) quote = null
    } else if ('\'"`'.includes(char)) quote = char
    else if (OPENING.includes(char)) depth++
    else if (CLOSING.includes(char)) depth--
    else if (char === '\n' && depth <= 0) {
      const [next = ''] = /\S*/.exec(text.slice(index).trimStart()) ?? []
      if (next.startsWith('.') && !next.startsWith('...')) return null
      if (!/[,=+&|?:(]\s*$/.test(text.slice(from, index))) return index
    }
  }
  return null
}

function patchOf(file: string, before: string, changes: readonly Change[]): Patch {
  const end = before.includes('\r\n') ? '\r' : ''
  const sorted = changes
    .map((change) => ({ ...change, lines: change.lines.map((line) => line + end) }))
    .sort((a, b) => a.line - b.line)
  const lines = before.split('\n')
  const after = [...lines]
  for (const { line, removes, lines: added } of sorted.toReversed()) after.splice(line, removes, ...added)
  return { file, before, after: after.join('\n'), diff: `--- ${file}\n+++ ${file}\n${hunks(lines, sorted)}` }
}

const CONTEXT = 2

/** One hunk per change; those that are near share one. */
function hunks(lines: readonly string[], changes: readonly Change[]): string {
  const groups: Change[][] = []
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && change.line - (last.line + last.removes) <= 2 * CONTEXT) groups.at(-1)?.push(change)
    else groups.push([change])
  }
  let shift = 0
  const written = groups.map((group) => {
    const [first, last] = [group[0], group.at(-1)]
    if (first === undefined || last === undefined) return ''
    // The text after the last line break is no line.
    const end = Math.min(lines.length - (lines.at(-1) === '' ? 1 : 0), last.line + last.removes + CONTEXT)
    const start = Math.max(0, first.line - CONTEXT)
    const body: string[] = []
    let at = start
    for (const { line, removes, lines: added } of group) {
      body.push(...lines.slice(at, line).map((each) => ` ${each}`))
      body.push(...lines.slice(line, line + removes).map((each) => `-${each}`), ...added.map((each) => `+${each}`))
      at = line + removes
    }
    body.push(...lines.slice(at, end).map((each) => ` ${each}`))
    const grown = group.reduce((sum, change) => sum + change.lines.length - change.removes, 0)
    const range = (from: number, count: number): string => `${count === 0 ? from : from + 1},${count}`
    const head = `@@ -${range(start, end - start)} +${range(start + shift, end - start + grown)} @@`
    shift += grown
    return [head, ...body].join('\n')
  })
  return written.join('\n')
}

/** Writes the patched files, unless one has changed since it was read. Never through a symbolic link. */
export async function applyPatches(root: string, patches: readonly Patch[]): Promise<readonly string[]> {
  const applied: string[] = []
  for (const { file, before, after } of patches) {
    const target = path.join(root, file)
    const stats = await lstat(target).catch(() => null)
    if (!stats?.isFile() || (await readFile(target, 'utf8')) !== before) continue
    await writeFile(target, after).catch((error: NodeJS.ErrnoException) => {
      throw notWritable(root, error)
    })
    applied.push(file)
  }
  return applied
}
