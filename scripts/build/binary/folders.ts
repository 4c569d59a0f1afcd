import { getAsset } from 'node:sea'
import type * as installed from '../../../service/src/folders.ts'
import { assetName, THREAD } from './assets.ts'

// Replaces service/src/folders.ts in an executable: its files are assets, and nothing is unpacked.

/** Any name: a worker is the executable again, which service/bin/run.js recognizes by its environment. */
export const START: typeof installed.START = new URL('file:///worker')

export const CHECKPOINT_THREAD: typeof installed.CHECKPOINT_THREAD = new URL(
  `data:text/javascript;base64,${Buffer.from(getAsset(THREAD)).toString('base64')}`,
)

export const readInstalled: typeof installed.readInstalled = (folder, file) =>
  Buffer.from(getAsset(assetName(folder, file)))
