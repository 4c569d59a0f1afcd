import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { nameSourceFiles } from './source-locations.ts'

nameSourceFiles({
  location: /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/,
  read(file) {
    try {
      return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')))
    } catch {
      return null
    }
  },
  sourceFile: (name, file) => fileURLToPath(new URL(name, file)),
})
