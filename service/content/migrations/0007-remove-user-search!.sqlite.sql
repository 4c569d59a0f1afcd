-- The search of users reads the users themselves (storage/social-login/user-search.ts).
drop trigger users_added;
drop trigger users_changed;
drop trigger users_removed;
drop table unsearched_users;
drop table user_search;
