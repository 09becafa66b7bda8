// The official JavaScript client against Digesto: clients.mjs URL
import assert from 'node:assert/strict';
import OpenAI from 'openai';

const url = process.argv[2];
const client = new OpenAI({ baseURL: url + '/v1', apiKey: 'ninguna' });
const question = '¿Cuántos días de vacaciones me corresponden al año?';
const asked = await (await fetch(url + '/v1/ask', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ question, pack: 'laboral' }) })).json();

const names = [];
for await (const m of await client.models.list()) names.push(m.id);
assert(names.includes('digesto-laboral'), names.join());

const messages = [{ role: 'user', content: question }];
const whole = await client.chat.completions.create({ model: 'digesto-laboral', messages });
assert.equal(whole.choices[0].finish_reason, 'stop');
assert.deepEqual(whole.digesto.citations, asked.citations);
assert.equal(whole.choices[0].message.annotations[0].type, 'url_citation');

const said = await client.responses.create({ model: 'digesto-laboral', input: question });
assert.equal(said.output_text, whole.choices[0].message.content);
assert.deepEqual(said.digesto.citations, asked.citations);

let text = '', last, usage;
for await (const chunk of await client.chat.completions.create({ model: 'digesto-laboral', messages, stream: true, stream_options: { include_usage: true } })) {
  text += chunk.choices[0]?.delta?.content ?? '';
  last = chunk.digesto ?? last;
  usage = chunk.usage ?? usage;
}
assert.equal(text, whole.choices[0].message.content);
assert.deepEqual(last.citations, asked.citations);
assert(usage.total_tokens > 0);
await assert.rejects(client.chat.completions.create({ model: 'nada', messages }), OpenAI.NotFoundError);
console.log(names.length + ' models; whole and streamed answers, and responses, agree with /v1/ask');
