// Part of every production build and of the executable: stack traces name the source files. `node --enable-source-maps`
// does the same, but reads all source maps at the start, which takes a third more CPU time and 20 MB. Here a map is read
// when the first stack trace needs it. A process answers nothing meanwhile, so it is decoded into one array of numbers:
// `SourceMap` of node:module makes an object of each mapping, and takes five times as long.

/** The part of a source map (ECMA-426) that a stack trace needs. */
export interface SourceMapFile {
  readonly sources: readonly string[]
  readonly mappings: string
}

export interface SourceMaps {
  /** Finds the file, line and column of a frame. */
  readonly location: RegExp
  /** Null if the map was not installed with its code, or the file is not ours. */
  read(file: string): SourceMapFile | null
  /** The source file that a map calls `name`. */
  sourceFile(name: string, file: string): string
}

export function nameSourceFiles({ location, read, sourceFile }: SourceMaps): void {
  const maps = new Map<string, LocationFinder | null>()

  const finderOf = (file: string): LocationFinder | null => {
    let find = maps.get(file)
    if (find === undefined) {
      const map = read(file)
      find = map && locationFinder(map)
      maps.set(file, find)
    }
    return find
  }
  /** The location in the sources, or the text as it is if there is none. */
  const sourceOf = (text: string, file: string, line: string, column: string): string => {
    const found = finderOf(file)?.(Number(line), Number(column))
    return found ? `${sourceFile(found.source, file)}:${found.line}:${found.column}` : text
  }
  Error.prepareStackTrace = (error, frames) =>
    [
      describe(error),
      ...frames.map((frame) => `    at ${String(frame).replace(location, sourceOf)}`),
    ].join('\n')
}

/** As V8 does it, for values whose `toString` fails too. */
function describe(error: Error): string {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return '<error>'
  }
}

export interface SourceLocation {
  readonly source: string
  readonly line: number
  readonly column: number
}

/** Lines and columns begin at 1, as in stack traces. */
type LocationFinder = (line: number, column: number) => SourceLocation | null

/** Finds the last mapping at or before a position of its line. */
export function locationFinder({ sources, mappings }: SourceMapFile): LocationFinder {
  const numbers = decode(mappings)
  const at = (index: number): number => numbers[index] ?? 0

  return (line, column) => {
    let low = 0
    let high = numbers.length / NUMBERS
    while (low < high) {
      const middle = (low + high) >> 1
      const start = middle * NUMBERS
      const isAfter = at(start) > line || (at(start) === line && at(start + 1) > column)
      if (isAfter) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    const start = (low - 1) * NUMBERS
    const source = sources[at(start + 2)]
    if (low === 0 || at(start) !== line || source === undefined) {
      return null
    }
    return { source, line: at(start + 3), column: at(start + 4) }
  }
}

/** For each mapping: line and column of the code, the index of its source (-1: none), line and column there. */
const NUMBERS = 5
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const COMMA = 0x2c
const SEMICOLON = 0x3b

/** The characters, and a separator after the last mapping. */
function* codesOf(mappings: string): Generator<number> {
  for (let index = 0; index < mappings.length; index++) {
    yield mappings.charCodeAt(index)
  }
  yield SEMICOLON
}

function decode(mappings: string): Int32Array {
  const values = Uint8Array.from({ length: 128 }, (_, code) =>
    Math.max(DIGITS.indexOf(String.fromCharCode(code)), 0),
  )
  // A mapping has at least one digit and a separator.
  const numbers = new Int32Array(Math.ceil((mappings.length + 1) / 2) * NUMBERS)
  let length = 0
  let line = 1
  // Column, index of the source, and line and column there. Each mapping says how far they moved.
  const position = new Int32Array([1, 0, 1, 1])
  let field = 0
  let value = 0
  let shift = 0

  const endMapping = (): void => {
    if (field === 0) {
      return
    }
    numbers[length] = line
    numbers.set(position, length + 1)
    if (field === 1) {
      numbers[length + 2] = -1
    }
    length += NUMBERS
    field = 0
  }

  for (const code of codesOf(mappings)) {
    if (code === COMMA || code === SEMICOLON) {
      endMapping()
      if (code === SEMICOLON) {
        line += 1
        position[0] = 1
      }
      continue
    }
    // A base64 VLQ: each digit has five bits and says whether another follows; the lowest bit of all is the sign.
    const digit = values[code] ?? 0
    value |= (digit & 31) << shift
    shift += 5
    if (digit > 31) {
      continue
    }
    // A fifth field is the index of a name, which no location needs: a typed array ignores it.
    const difference = value & 1 ? -(value >>> 1) : value >>> 1
    position[field] = (position[field] ?? 0) + difference
    field += 1
    value = 0
    shift = 0
  }
  return numbers.slice(0, length)
}
