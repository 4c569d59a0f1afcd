import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

const MAX_BYTES = 256 * 1_024

/** Empty for a file that is missing, too large, or no file. */
export async function readSmall(root: string, name: string): Promise<string> {
  const file = path.join(root, name)
  const found = await stat(file).catch(() => null)
  return found?.isFile() && found.size <= MAX_BYTES ? readFile(file, 'utf8').catch(() => '') : ''
}

const NO_SOURCE_FOLDER =
  /^\.|^(?:__(?:pycache|tests|mocks)__|node_modules|vendor|venv|env|dist|build|tests?|static|templates)$/

/** The files of a folder and of those below it that have sources of the project, with slashes. */
export async function sourcesIn(root: string, folder: string, depth: number): Promise<string[]> {
  const present = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => [])
  const sorted = present.sort((a, b) => (a.name < b.name ? -1 : 1))
  const files = sorted
    .filter((each) => !each.isDirectory())
    .map(({ name }) => path.posix.join(folder, name))
  const folders = sorted.filter((each) => each.isDirectory() && !NO_SOURCE_FOLDER.test(each.name))
  const below =
    depth === 0
      ? []
      : folders.map(({ name }) => sourcesIn(root, path.posix.join(folder, name), depth - 1))
  return [...files, ...(await Promise.all(below)).flat()]
}

/** True for a text with bytes that are no UTF-8: written back, it would be another one. */
export const isDamaged = (text: string): boolean => text.includes('\uFFFD')

/** A source file for patterns. All three texts have the same length and the same lines. */
export interface Source {
  readonly text: string
  /** With spaces instead of comments and of strings with several lines. */
  readonly code: string
  /** With spaces inside all strings, too. */
  readonly bare: string
}

const QUOTED = String.raw`'(?:\\[\s\S]|[^'\\\n]+)*'?|"(?:\\[\s\S]|[^"\\\n]+)*"?`
const BLOCK = String.raw`\/\*[\s\S]*?(?:\*\/|$)`
/** Only where no operand is before it, because a slash also divides. Bounded, because most slashes of a long line begin none. */
const REGEXP = String.raw`(?<=(?:[(,=:[!&|?{};+*%~^-]|\breturn)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,99}\]|[^/\\\n[]){1,199}\/`

/** Comments and strings of each language. */
const TOKENS: readonly (readonly [file: RegExp, tokens: RegExp])[] = [
  [/\.py$/, new RegExp(String.raw`#.*|("""|''')[\s\S]*?(?:\1|$)|${QUOTED}`, 'g')],
  [/\.go$/, new RegExp(`\\/\\/.*|${BLOCK}|\`[^\`]*\`?|${QUOTED}`, 'g')],
  [/\.php$/, new RegExp(String.raw`(?:\/\/|#(?!\[))(?:(?!\?>).)*|${BLOCK}|${QUOTED}`, 'g')],
  [
    /\.rb$/,
    new RegExp(
      String.raw`^=begin\b[\s\S]*?(?:^=end.*|(?![\s\S]))|^__END__$[\s\S]*|#.*|${QUOTED}`,
      'gm',
    ),
  ],
  [/./, new RegExp(`\\/\\/.*|${BLOCK}|\`(?:\\\\[\\s\\S]|[^\`\\\\]+)*\`?|${QUOTED}|${REGEXP}`, 'g')],
]

export function sourceOf(file: string, text: string): Source {
  const [, tokens] = TOKENS.find(([name]) => name.test(file)) ?? [null, /(?!)/g]
  const code = text.replace(tokens, (token) =>
    /^['"](?!['"]{2}).*$/.test(token) ? token : blank(token),
  )
  const bare = text.replace(tokens, (token) =>
    /^['"`]/.test(token)
      ? `${token[0]}${blank(token.slice(1, -1))}${token.length > 1 ? token.at(-1) : ''}`
      : blank(token),
  )
  return { text, code, bare }
}

const blank = (token: string): string => token.replaceAll(/[^\r\n]/g, ' ')

/** Where the pattern is in the code, outside comments and strings. */
export const findAll = ({ code, bare }: Source, pattern: RegExp): RegExpExecArray[] =>
  [...code.matchAll(new RegExp(pattern, [...new Set(`${pattern.flags}dg`)].join('')))].filter(
    (found) => {
      const first = found.index + found[0].search(/\S|$/)
      return bare[first] === code[first]
    },
  )

const OPENING = '([{'
const CLOSING = ')]}'

/** The end of the line on which the statement ends. null: it continues on the next line, such as in a chain of calls, or another follows on this line. */
export function endOfStatement({ bare }: Source, from: number): number | null {
  let depth = 0
  for (let index = from; index <= bare.length; index++) {
    const char = bare[index] ?? '\n'
    if (OPENING.includes(char)) {
      depth++
    } else if (CLOSING.includes(char)) {
      depth--
    } else if (char === ';' && depth <= 0 && /^;[ \t]*\S/.test(bare.slice(index))) {
      return null
    } else if (char === '\n' && depth <= 0) {
      if (/^\s*[.,?:+*/&|=<>%^-]/.test(bare.slice(index))) {
        return null
      }
      if (!/[,=+&|?:(\\]\s*$/.test(bare.slice(from, index))) {
        return index
      }
    }
  }
  return null
}

/** The arguments of the call whose parenthesis opens here, as ranges. */
export function argumentsOf(
  { bare }: Source,
  open: number,
): readonly (readonly [from: number, to: number])[] {
  const found: [number, number][] = []
  let depth = 0
  let from = open + 1
  for (let index = open; index < bare.length; index++) {
    const char = bare[index] ?? ''
    if (OPENING.includes(char)) {
      depth++
    } else if (CLOSING.includes(char)) {
      depth--
    }
    if (depth === 0 || (depth === 1 && char === ',')) {
      found.push([from, index])
      from = index + 1
    }
    if (depth === 0) {
      return found
    }
  }
  return []
}

/** Exits with 3 if the first text of its input is valid and the second is not. */
const CHECK_SCRIPT = `const { stripTypeScriptTypes: parse } = require('node:module')
const isValid = (text) => { try { parse(text); return true } catch { return false } }
const [before, after] = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
process.exit(isValid(before) && !isValid(after) ? 3 : 0)`

const CHECK_PYTHON = `import ast, json, sys
before, after = json.load(sys.stdin.buffer)
ast.parse(before)
try: ast.parse(after)
except SyntaxError: sys.exit(3)`

/** The programs that parse a file without running it. -I: without modules of the project. */
const PARSERS: readonly (readonly [file: RegExp, program: string, args: readonly string[]])[] = [
  [/\.[cm]?[jt]s$/, process.execPath, ['--no-warnings', '-e', CHECK_SCRIPT]],
  [/\.py$/, 'python3', ['-I', '-c', CHECK_PYTHON]],
]

/** False if the file was valid and is not after the change. True where no parser is installed. */
export function staysValid(file: string, before: string, after: string): Promise<boolean> {
  const [, program, args] = PARSERS.find(([name]) => name.test(file)) ?? []
  return new Promise((resolve) => {
    if (program === undefined) {
      return resolve(true)
    }
    const child = execFile(program, args, { timeout: 10_000 }, (error) =>
      resolve(error?.code !== 3),
    )
    child.stdin?.on('error', () => {}).end(JSON.stringify([before, after]))
  })
}
