-- The search of users by any part of their address or name (storage/social-login/user-search.ts): the trigrams of a user, whose
-- rowid is `resource_id << 32 | id`. The users of a resource are a range of rowids, so a search reads those of its resource only.
create virtual table user_search using fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1');

-- The users whose row above is missing or outdated. To remove a row here writes it; the sweep does, so that no sign-in and no import
-- waits for it.
create table unsearched_users (
  resource_id integer not null,
  user_id integer not null,
  constraint unsearched_users_key primary key (resource_id, user_id)
) strict, without rowid;
insert into unsearched_users select resource_id, id from users;
create trigger unsearched_users_indexed after delete on unsearched_users begin delete from user_search where rowid = (old.resource_id << 32 | old.user_id); insert into user_search (rowid, words) select resource_id << 32 | id, lower(email) || char(10) || coalesce(name_key, '') from users where resource_id = old.resource_id and id = old.user_id; end;

-- Triggers, because an instance of the previous release may still write users. A sign-in that changes neither address nor name
-- writes nothing here.
create trigger users_added after insert on users begin insert or ignore into unsearched_users values (new.resource_id, new.id); end;
create trigger users_changed after update of email, name_key on users when new.email is not old.email or new.name_key is not old.name_key begin insert or ignore into unsearched_users values (new.resource_id, new.id); end;
create trigger users_removed after delete on users begin insert or ignore into unsearched_users values (old.resource_id, old.id); end;
