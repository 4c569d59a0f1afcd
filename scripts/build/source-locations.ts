import type { SourceMap } from 'node:module'

// Part of every production build and of the executable: stack traces name the source files. `node --enable-source-maps`
// does the same, but reads all source maps at the start, which takes a third more CPU time and 20 MB. Here a map is read
// when the first stack trace needs it.

export interface SourceMaps {
  /** Finds the file, line and column of a frame. */
  readonly location: RegExp
  /** Null if the map was not installed with its code, or the file is not ours. */
  read(file: string): SourceMap | null
  /** The source file that a map calls `name`. */
  sourceFile(name: string, file: string): string
}

export function nameSourceFiles({ location, read, sourceFile }: SourceMaps): void {
  const maps = new Map<string, SourceMap | null>()

  const mapOf = (file: string): SourceMap | null => {
    let map = maps.get(file)
    if (map === undefined) {
      map = read(file)
      maps.set(file, map)
    }
    return map
  }
  /** The location in the sources, or the text as it is if there is none. */
  const sourceOf = (text: string, file: string, line: string, column: string): string => {
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column))
    if (origin === undefined || !('fileName' in origin)) return text
    return `${sourceFile(origin.fileName, file)}:${origin.lineNumber}:${origin.columnNumber}`
  }
  Error.prepareStackTrace = (error, frames) =>
    [describe(error), ...frames.map((frame) => `    at ${String(frame).replace(location, sourceOf)}`)].join('\n')
}

/** As V8 does it, for values whose `toString` fails too. */
function describe(error: Error): string {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return '<error>'
  }
}
