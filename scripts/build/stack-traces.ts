import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

// Part of every entry point of a production build: stack traces name the source files. `node --enable-source-maps` does the
// same, but reads all source maps at the start, which takes a third more CPU time and 20 MB. Here a map is read when
// the first stack trace needs it.

const LOCATION = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/
const maps = new Map<string, SourceMap | null>()

Error.prepareStackTrace = (error, frames) =>
  [describe(error), ...frames.map((frame) => `    at ${String(frame).replace(LOCATION, sourceOf)}`)].join('\n')

/** As V8 does it, for values whose `toString` fails too. */
function describe(error: Error): string {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return '<error>'
  }
}

/** The location in the sources, or the text as it is if there is none. */
function sourceOf(text: string, file: string, line: string, column: string): string {
  const origin = mapOf(file)?.findOrigin(Number(line), Number(column))
  if (origin === undefined || !('fileName' in origin)) return text
  return `${fileURLToPath(new URL(origin.fileName, file))}:${origin.lineNumber}:${origin.columnNumber}`
}

function mapOf(file: string): SourceMap | null {
  let map = maps.get(file)
  if (map === undefined) {
    map = readMap(file)
    maps.set(file, map)
  }
  return map
}

/** Null if it was not installed with its code, or the file is not ours. */
function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')))
  } catch {
    return null
  }
}
