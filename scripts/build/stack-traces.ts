import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { nameSourceFiles, type SourceMapFile } from './source-locations.ts'

nameSourceFiles({
  location: /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/,
  read(file) {
    try {
      return JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')) as SourceMapFile
    } catch {
      return null
    }
  },
  sourceFile: (name, file) => fileURLToPath(new URL(name, file)),
})
