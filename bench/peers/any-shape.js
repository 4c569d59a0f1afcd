/** A schema (standardschema.dev) that takes anything: what a validator costs is not OpenAuth's. */
export const anyShape = { '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value }) } }
