/** A schema (standardschema.dev) that accepts any value, because a validator's cost is not OpenAuth's. */
export const anySchema = { '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value }) } }
