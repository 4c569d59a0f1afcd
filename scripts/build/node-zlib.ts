import type * as zlib from 'node:zlib'

// Replaces `node:zlib` in a bundle, which is loaded with the first logo or stack trace that needs it, not at the start.

const loaded = (): typeof zlib => process.getBuiltinModule('node:zlib')

export const crc32: typeof zlib.crc32 = (...input) => loaded().crc32(...input)

export const gunzipSync: typeof zlib.gunzipSync = (...input) => loaded().gunzipSync(...input)

export const inflateSync: typeof zlib.inflateSync = (...input) => loaded().inflateSync(...input)
