import { writeFileSync } from 'node:fs'
import { openApiTypes, TYPES_FILE } from './openapi-types.ts'

// Run this after a change of the contract: node service/test/discovery/write-openapi-types.ts
writeFileSync(TYPES_FILE, await openApiTypes())
