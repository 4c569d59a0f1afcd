import { getAsset, isSea } from 'node:sea'
import { gunzipSync } from 'node:zlib'
import { nameSourceFiles, type SourceMapFile } from '../source-locations.ts'
import { MAIN, SOURCE_MAP } from './assets.ts'

// The code of an executable has the name that it was built from, and its map is an asset.

if (isSea()) {
  nameSourceFiles({
    location: new RegExp(`(${RegExp.escape(MAIN)}):(\\d+):(\\d+)`),
    read: () => JSON.parse(gunzipSync(getAsset(SOURCE_MAP)).toString()) as SourceMapFile,
    sourceFile: (name) => name.replace(/^(\.\.\/)+/, ''),
  })
}
