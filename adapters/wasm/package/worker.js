// The engine in a worker. A message is input, `null` its end; the answers are lines, and `null` once the session is over.

import { MODULE, start } from "./engine.js";
import { load, post, serve } from "./threads.js";

// Messages that come before the engine has started wait for it, in order.
const starting = load(MODULE).then((bytes) => start(bytes, post));

serve(async (message) => {
  const engine = await starting;
  const goesOn = await (message === null ? engine.end() : engine.send(message));
  if (!goesOn) post(null);
});
