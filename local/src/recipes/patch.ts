import { lstat, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { notWritable } from '../credentials/draft.ts'
import type { FoundApp } from './find-app.ts'
import { type Edit, FRAMEWORKS, type Framework } from './frameworks.ts'
import {
  argumentsOf,
  endOfStatement,
  findAll,
  isDamaged,
  readSmall,
  type Source,
  sourceOf,
  staysValid,
} from './source-text.ts'
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
  /** Sentences about other places that were not found. */
  readonly notes: readonly string[]
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
  const done = app.entry !== null && MENTIONS.test(await readSmall(root, app.entry))
  const manifest = await readSmall(root, 'package.json')
  const wanted = (framework.edits ?? []).filter(
    ([edit]) =>
      (withExample || edit?.example === undefined) && edit?.manifest?.test(manifest) !== false,
  )
  const fileOf = ([edit]: readonly Edit[]): string => edit?.file ?? app.entry ?? ''
  let missing =
    !done &&
    framework.creates !== undefined &&
    (app.entry === null || framework.edits === undefined)
  const notes: string[] = []
  const patches: Patch[] = []
  for (const written of new Set(wanted.map(fileOf))) {
    const file = await existing(root, written)
    const before = await readSmall(root, file)
    const choices = wanted.filter((edits) => fileOf(edits) === written)
    const { isDone = MENTIONS, note }: Partial<Edit> = choices[0]?.[0] ?? {}
    if (isDone.test(before)) {
      continue
    }
    const changes = choices.map((edits) => placeOf(sourceOf(file, before), app, edits))
    const found = changes
      .filter((change) => change !== null)
      .map((change) => withCallback(change, callbackPath))
    const isUnknown = before === '' || isDamaged(before) || found.length < changes.length
    const patch = isUnknown ? null : patchOf(file, before, found)
    if (patch !== null && (await staysValid(file, before, patch.after))) {
      patches.push(patch)
    } else if (note === undefined) {
      missing = true
    } else {
      notes.push(note)
    }
  }
  return { patches, missing, notes, done }
}

/** The notes of a project without an app, whose files are not there yet. */
export const notesFor = ({ edits = [] }: Framework): string[] => [
  ...new Set(
    edits.flat().flatMap(({ note = [], manifest }) => (manifest === undefined ? note : [])),
  ),
]

/** The file, or the same in another language that its framework reads. */
async function existing(root: string, file: string): Promise<string> {
  const others = ['.ts', '.js', '.mts', '.mjs'].map((extension) =>
    file.replace(/\.m?[jt]s$/, extension),
  )
  for (const name of [file, ...others]) {
    if ((await readSmall(root, name)) !== '') {
      return name
    }
  }
  return file
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

/** The first of these edits whose place is in the file. A place that is there twice is none, except for imports. */
function placeOf(
  source: Source,
  { name, dot, entry }: FoundApp,
  edits: readonly Edit[],
): Change | null {
  const { creates }: Framework = FRAMEWORKS[name]
  const [created] = creates === undefined ? [] : findAll(source, creates.statement)
  const toSrc = path.posix.relative(path.posix.dirname(entry ?? ''), 'src') || '.'
  const values = {
    app: created?.groups?.app ?? 'app',
    dot,
    src: toSrc.startsWith('.') ? toSrc : `./${toSrc}`,
  }
  for (const edit of edits) {
    const isImport = /^(?:import|from|const \{|require)/.test(edit.lines[0] ?? '')
    const [found, another] = findAll(
      edit.isComment ? { ...source, code: source.text, bare: source.text } : source,
      edit.of,
    )
    if (found === undefined || (another !== undefined && !isImport)) {
      continue
    }
    const change = changeAt(source, found, edit, isImport, values)
    if (change !== null) {
      return change
    }
  }
  return null
}

function changeAt(
  source: Source,
  found: RegExpExecArray,
  { place, lines }: Edit,
  isImport: boolean,
  values: Readonly<Record<string, string>>,
): Change | null {
  const { text, bare } = source
  // With `m`, \s at the start of a pattern also matches the line break before.
  const at = found.index + (place === 'before' ? 0 : found[0].search(/\S|$/))
  if (place === 'wrap') {
    return wrapArgument(source, found.index + found[0].length - 1, lines[0] ?? '')
  }
  const end = place === 'after' ? endOfStatement(source, at) : at
  if (end === null) {
    return null
  }
  const [indent = ''] = isImport
    ? []
    : (/^[ \t]*/.exec(text.split('\n')[lineOf(text, at)] ?? '') ?? [])
  const ending = place === 'after' && /;\s*$/.test(bare.slice(0, end)) ? ';' : ''
  const groups = Object.entries(found.indices?.groups ?? {}).map(([name, range]) => [
    name,
    range && text.slice(...range),
  ])
  const filled = { ...Object.fromEntries(groups), ...values }
  return {
    line: lineOf(text, end) + (place === 'after' || place === 'below' ? 1 : 0),
    removes: place === 'instead' ? 1 : 0,
    lines: lines.map((each) => `${indent}${fill(each, filled)}${each.endsWith(';') ? '' : ending}`),
  }
}

/** Wraps the second and last argument of a call, if that is on one line. */
function wrapArgument(source: Source, open: number, wrapped: string): Change | null {
  const { text } = source
  const [, range, ...others] = argumentsOf(source, open)
  if (range === undefined || others.length > 0) {
    return null
  }
  const argument = text.slice(...range).trim()
  const from = range[0] + text.slice(...range).search(/\S|$/)
  const line = lineOf(text, from)
  if (argument === '' || argument.includes('\n')) {
    return null
  }
  const written = text.split('\n')[line]?.replace(/\r$/, '') ?? ''
  const column = from - (text.lastIndexOf('\n', from - 1) + 1)
  const changed = fill(wrapped, {
    argument: argument === 'nil' ? 'http.DefaultServeMux' : argument,
  })
  return {
    line,
    removes: 1,
    lines: [written.slice(0, column) + changed + written.slice(column + argument.length)],
  }
}

const fill = (line: string, values: Readonly<Record<string, string>>): string =>
  line.replaceAll(/\{(\w+)\}/g, (written, name: string) => values[name] ?? written)

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length - 1

function patchOf(file: string, before: string, changes: readonly Change[]): Patch {
  const end = before.includes('\r\n') ? '\r' : ''
  const sorted = changes
    .map((change) => ({ ...change, lines: change.lines.map((line) => line + end) }))
    .sort((a, b) => a.line - b.line)
  const lines = before.split('\n')
  const after = [...lines]
  for (const { line, removes, lines: added } of sorted.toReversed()) {
    after.splice(line, removes, ...added)
  }
  return {
    file,
    before,
    after: after.join('\n'),
    diff: `--- ${file}\n+++ ${file}\n${hunks(lines, sorted)}`,
  }
}

const CONTEXT = 2

/** One hunk per change; those that are near share one. */
function hunks(lines: readonly string[], changes: readonly Change[]): string {
  const groups: Change[][] = []
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && change.line - (last.line + last.removes) <= 2 * CONTEXT) {
      groups.at(-1)?.push(change)
    } else {
      groups.push([change])
    }
  }
  let shift = 0
  const written = groups.map((group) => {
    const [first, last] = [group[0], group.at(-1)]
    if (first === undefined || last === undefined) {
      return ''
    }
    // The text after the last line break is no line.
    const end = Math.min(
      lines.length - (lines.at(-1) === '' ? 1 : 0),
      last.line + last.removes + CONTEXT,
    )
    const start = Math.max(0, first.line - CONTEXT)
    const body: string[] = []
    let at = start
    for (const { line, removes, lines: added } of group) {
      body.push(...lines.slice(at, line).map((each) => ` ${each}`))
      body.push(
        ...lines.slice(line, line + removes).map((each) => `-${each}`),
        ...added.map((each) => `+${each}`),
      )
      at = line + removes
    }
    body.push(...lines.slice(at, end).map((each) => ` ${each}`))
    const grown = group.reduce((sum, change) => sum + change.lines.length - change.removes, 0)
    const range = (from: number, count: number): string =>
      `${count === 0 ? from : from + 1},${count}`
    const head = `@@ -${range(start, end - start)} +${range(start + shift, end - start + grown)} @@`
    shift += grown
    return [head, ...body].join('\n')
  })
  return written.join('\n')
}

/** Writes the patched files, unless one has changed since it was read. Never through a symbolic link. */
export async function applyPatches(
  root: string,
  patches: readonly Patch[],
): Promise<readonly string[]> {
  const applied: string[] = []
  for (const { file, before, after } of patches) {
    const target = path.join(root, file)
    const stats = await lstat(target).catch(() => null)
    if (!stats?.isFile() || (await readFile(target, 'utf8')) !== before) {
      continue
    }
    await writeFile(target, after).catch((error: NodeJS.ErrnoException) => {
      throw notWritable(target, error)
    })
    applied.push(file)
  }
  return applied
}
