import { getAsset, isSea } from 'node:sea'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { nameSourceFiles, type SourceMapFile } from '../source-locations.ts'
import { SOURCE_MAP } from './assets.ts'

// The code of an executable has the executable's own name, and its map is an asset.

const self = pathToFileURL(process.execPath).href.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

if (isSea()) {
  nameSourceFiles({
    location: new RegExp(`(${self}):(\\d+):(\\d+)`),
    read: () => JSON.parse(gunzipSync(getAsset(SOURCE_MAP)).toString()) as SourceMapFile,
    sourceFile: (name) => name.replace(/^(\.\.\/)+/, ''),
  })
}
