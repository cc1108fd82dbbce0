// Sets the stack of a module aside where the JavaScript engine cannot. The module was built for it (Binaryen's
// Asyncify): an export returns early, and the next call of this export continues where it was.

/** The memory for a stack: the deepest search takes a fraction of it. */
const PAGES = 32;
const PAGE_BYTES = 1 << 16;
/** States of a module. */
const [UNWINDING, REWINDING] = [1, 2];

/** `{ pause, run }`: the module calls `pause` to wait, and `run` calls an export that may come to `pause`. */
export function unwinding(wait, engine) {
  let stack = 0;

  /** The address of what Asyncify works with: the bounds of its stack, then the stack. */
  function emptyStack() {
    stack ||= engine().memory.grow(PAGES) * PAGE_BYTES;
    new Uint32Array(engine().memory.buffer, stack, 2).set([stack + 8, stack + PAGES * PAGE_BYTES]);
    return stack;
  }

  function pause() {
    if (engine().asyncify_get_state() === REWINDING) engine().asyncify_stop_rewind();
    else engine().asyncify_start_unwind(emptyStack());
  }

  async function run(call) {
    let result = call();
    while (engine().asyncify_get_state() === UNWINDING) {
      engine().asyncify_stop_unwind();
      await wait();
      engine().asyncify_start_rewind(stack);
      result = call();
    }
    return result;
  }

  return { pause, run };
}
