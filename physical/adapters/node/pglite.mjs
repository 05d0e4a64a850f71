// PGlite: PostgreSQL compiled for Node. Each line has tables and a query; the answer has rows of texts.
import { createInterface } from 'node:readline';
import { installed } from './protocol.mjs';

const { PGlite } = await installed('@electric-sql/pglite');
const db = await PGlite.create();
await db.exec("SET client_min_messages = error");
const [{ version }] = (await db.query('SHOW server_version')).rows.map((row) => ({ version: row.server_version }));
const asText = (text) => text;
const options = { rowMode: 'array', parsers: Object.fromEntries([16, 20, 23, 25, 701, 1700].map((oid) => [oid, asText])) };

const failed = (error) => ({ error: `${error.message}` });

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await answer(JSON.parse(line)).catch(failed)) + '\n');
}

async function answer({ tables, sql }) {
  for (const { name, columns, rows } of tables ?? []) {
    await db.exec(`DROP TABLE IF EXISTS ${name}; CREATE TEMP TABLE ${name} (${columns})`);
    await db.query(`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1)`, [rows]);
  }
  return sql ? { rows: (await db.query(sql, [], options)).rows } : { version };
}
