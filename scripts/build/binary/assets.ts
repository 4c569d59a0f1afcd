// The names of what an executable carries beside its main file.

/** Stack traces call the code by this name. */
export const MAIN = 'gatehouse.cjs'
export const THREAD = 'checkpoint-thread.js'
export const SOURCE_MAP = 'main.js.map.gz'

/** A file of a folder of the installation. */
export const assetName = (folder: string, file: string): string => `${folder}/${file}`
