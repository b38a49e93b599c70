insert into apus_jobs (queue, kind, version, payload, state, due_at, attempt, errors, unique_key, created_at, ended_at)
values ('default', 'send_receipt', 1, '{"order":1}', 'dead', 0, 5,
        '2026-11-23T10:00:00Z attempt 1: 503 down' || char(10) || '2026-11-23T10:00:01Z attempt 2: 500 gone' || char(10),
        'order 1', 1795428000000, 1795428001000),
       ('default', 'send_receipt', 1, '{"order":1}', 'delayed', 1795430000000, 0, '', 'order 1', 1795428000000, null),
       ('mail', 'news', 1, '{}', 'running', 0, 1, '', null, 1795428000000, null),
       ('mail', 'news', 1, '{}', 'dead', 0, 9, 'x' || char(27) || '[31m', null, 1795428000000, 1795428001000);
