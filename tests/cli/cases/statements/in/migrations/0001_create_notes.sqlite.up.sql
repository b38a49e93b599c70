create table note (
    id integer primary key,
    title text not null,
    priority integer not null,
    comment text,
    done integer not null default 0
);
create view titles as select title from note;
