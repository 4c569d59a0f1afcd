import {
  readUserMetadata as readUserMetadataEndpoint,
  replaceUserMetadata as replaceUserMetadataEndpoint,
} from '@gatehouse/contract'
import { getUser, replaceUserMetadata } from '../../../operations/users/users.ts'
import { keyAuthor } from '../../callers/author.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { mountForManagementKey } from '../../mount-endpoint.ts'
import { metadataView } from '../../views.ts'
import { metadataEtag } from './metadata-etag.ts'
import { numberIn } from './path-number.ts'

export function userMetadataRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, readUserMetadataEndpoint, async ({ params }, c, tenant) => {
    const { metadata } = await getUser(ctx, tenant, numberIn(params.id))
    c.header('ETag', metadataEtag(metadata))
    return { metadata: metadataView(metadata) }
  })

  mountForManagementKey(app, deps, replaceUserMetadataEndpoint, async ({ params, body }, c, tenant, key) => {
    const metadata = JSON.stringify(body.metadata)
    const change = { metadata, isExpected: matcherOf(c.req.header('if-match')) }
    await replaceUserMetadata(ctx, tenant, numberIn(params.id), change, keyAuthor(c, key))
    c.header('ETag', metadataEtag(metadata))
    return { metadata: body.metadata }
  })
}

/** RFC 9110, section 13.1.1: `*`, or a list of strong tags. A weak tag never matches. */
function matcherOf(header: string | undefined): (current: string | null) => boolean {
  if (header === undefined || header.trim() === '*') return () => true
  const tags = header.split(',').map((tag) => tag.trim())
  return (current) => tags.includes(metadataEtag(current))
}
