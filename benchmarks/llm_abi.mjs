// What llm-abi takes for the schemas on standard input: `node llm_abi.mjs FOLDER TARGET ROUNDS`.
// FOLDER has its node_modules. Prints its answers, null where it gives none; where ROUNDS are asked for, instead the
// median milliseconds of a round, and how many schemas get an answer.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [folder, target, rounds] = process.argv.slice(2);
const { compile } = createRequire(resolve(folder) + "/")("llm-abi");
const schemas = JSON.parse(readFileSync(0, "utf-8"));
const answers = schemas.map((schema) => {
  try {
    const answer = compile(schema, target);
    return answer.compatibility === "unsupported" ? null : answer.schema;
  } catch {
    return null;
  }
});
const answered = answers.map((answer) => answer !== null);
const both = schemas.filter((_, at) => answered[at]);
const taken = [];
for (let round = 0; round < Number(rounds); round++) {
  const start = process.cpuUsage();
  for (const schema of both) compile(schema, target);
  const { user, system } = process.cpuUsage(start);
  taken.push((user + system) / 1000);
}
taken.sort((a, b) => a - b);
process.stdout.write(JSON.stringify(taken.length ? { milliseconds: taken[taken.length >> 1], answered } : answers));
