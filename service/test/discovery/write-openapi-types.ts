import { writeFileSync } from 'node:fs'
import { openApiTypes, TYPES_FILE } from './openapi-types.ts'

// Run it after the contract has changed: node service/test/discovery/write-openapi-types.ts
writeFileSync(TYPES_FILE, await openApiTypes())
