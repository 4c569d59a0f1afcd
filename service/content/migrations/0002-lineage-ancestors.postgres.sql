-- The marks of the lineages that this one continues, the parent first, each with the position where it ended: `mark@position`.
alter table lineage add column ancestors text not null default '';
