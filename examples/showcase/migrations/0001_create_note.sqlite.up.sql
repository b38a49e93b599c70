create table note (
    id integer primary key,
    title text not null,
    tags text not null,
    importance text not null,
    due text
);
