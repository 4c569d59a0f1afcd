import { readAsset } from './asset.ts'

/** The small gatehouse beside our name, and the favicon. Its address stays the same, so revalidate it by its etag. */
export const mark = readAsset('./mark.svg', 'image/svg+xml; charset=utf-8', () => '/assets/mark.svg')
