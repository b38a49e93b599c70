create table items (id int primary key, name text not null, category text not null, price int not null,
    quantity int not null, active boolean not null, tags jsonb not null,
    rating_score int not null, rating_count int not null);

insert into items select i, 'Item ' || i, (array['electronics', 'tools', 'books', 'toys', 'garden'])[1 + i % 5],
    1 + (i::bigint * 7919) % 500, 1 + i % 97, i % 3 <> 0, jsonb_build_array('tag' || i % 7, 'tag' || i % 11),
    1 + i % 50, i % 400 from generate_series(1, 100000) i;

create index items_by_category on items (category, id);

create table world (id int primary key, randomnumber int not null);

insert into world select i, 1 + (i::bigint * 7919) % 10000 from generate_series(1, 10000) i;

create table fortune (id int primary key, message text not null);

insert into fortune values (1, 'A bug that nobody reports is a feature.'),
    (2, 'A cache is a promise that the past will last.'), (3, 'Every queue is empty until it is full.'),
    (4, 'Measure twice, optimize once.'), (5, 'The fastest query is the one that is not sent.'),
    (6, 'A deadline makes every wait shorter.'), (7, 'Names outlive the code that they were given for.'),
    (8, 'Work expands to fill the pool of connections.'), (9, 'Undefined behavior is defined by the customer.'),
    (10, 'Simple is what remains.'), (11, '<script>alert("This text must be escaped & shown.");</script>'),
    (12, 'データベースのおみくじ');

analyze;

