create table note (
    id integer primary key,
    text text not null,
    priority integer not null check (priority between 1 and 5)
);
