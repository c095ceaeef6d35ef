import { globSync, rmSync } from 'node:fs';

/**
 * After `npm run migration`: deletes the schemas of earlier migrations. drizzle-kit compares with the newest alone, and
 * each has 4,000 lines.
 */
for (const schema of globSync('migrations/meta/*_snapshot.json').sort().slice(0, -1)) rmSync(schema);
