//! Events that are read ahead, while a client leaves too many replies unread.
//!
//! The reader goes on reading, because it must hear `quit` and the end of input. The events wait here until the client
//! has made room for their replies. Then the writer handles them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use leap_protocol::Line;

use leap_engine::session::Event;

/// Nothing more is read while more than this waits here (SPEC 3.23).
const AHEAD_BYTES: usize = 1 << 20;

/// Events in the order in which they were read.
#[derive(Default)]
pub(super) struct Ahead {
    queue: Mutex<Queue>,
    /// The queue has become shorter.
    shorter: Condvar,
}

#[derive(Default)]
struct Queue {
    events: VecDeque<Event>,
    bytes: usize,
}

impl Ahead {
    /// Returns the event if it can be handled now, and keeps it otherwise. Waits while too much is kept.
    pub(super) fn admit(&self, event: Event, has_room: impl FnOnce() -> bool) -> Option<Event> {
        let mut queue = self.queue();
        while queue.bytes > AHEAD_BYTES {
            queue = self.shorter.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        // The writer first makes room and then looks here. Hold the lock, so that nothing comes in between.
        if queue.events.is_empty() && has_room() {
            return Some(event);
        }
        queue.bytes += bytes(&event);
        queue.events.push_back(event);
        None
    }

    /// Handles the kept events in order, while there is room for their replies. Later events wait meanwhile.
    pub(super) fn handle(&self, has_room: impl Fn() -> bool, mut handle: impl FnMut(Event)) {
        let mut queue = self.queue();
        while has_room() {
            let Some(event) = queue.events.pop_front() else { return };
            queue.bytes -= bytes(&event);
            self.shorter.notify_one();
            handle(event);
        }
    }

    /// Whether no event is kept. Waits while one is being handled.
    pub(super) fn is_empty(&self) -> bool {
        self.queue().events.is_empty()
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The memory that an event takes, in bytes.
fn bytes(event: &Event) -> usize {
    let text = match event {
        Event::Line(Line::Text(text), _) => text.capacity(),
        _ => 0,
    };
    size_of::<Event>() + text
}
