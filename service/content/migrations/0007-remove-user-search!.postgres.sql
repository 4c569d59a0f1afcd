-- The search of users reads the users themselves (storage/social-login/user-search.ts). A build from before it created these at its start,
-- so a new database has none.
drop index if exists users_by_part;
drop function if exists gatehouse_index_user_parts_v1();
drop function if exists gatehouse_flush_user_parts_v1();
drop function if exists gatehouse_user_part_queries_v1(bigint, text[], bigint, bigint);
drop function if exists gatehouse_user_parts_v1(bigint, bigint, text, text);
