insert into notes (text) values ('first');
