import { createHash } from 'node:crypto'

/** Of the content, so that the tag needs no column. No metadata is an empty object. */
export const metadataEtag = (metadata: string | null): string =>
  `"${createHash('sha256')
    .update(metadata ?? '{}')
    .digest('base64url')
    .slice(0, 22)}"`
