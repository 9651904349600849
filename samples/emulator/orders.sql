CREATE TABLE IF NOT EXISTS orders (id integer PRIMARY KEY, what text NOT NULL);
INSERT INTO orders VALUES (1, 'a bone'), (2, 'a radius') ON CONFLICT DO NOTHING;
SELECT count(*) AS "orders here", current_user AS "as" FROM orders;
