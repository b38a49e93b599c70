drop table note;
