//! The open WebSockets of a door.
//!
//! Anybody can open one, so silent ones must keep nobody out. When there is no room, a WebSocket that has shown no
//! right secret makes room for the next one.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Where a request comes from: an IPv4 address, or the network of an IPv6 address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Source(IpAddr);

impl Source {
    /// One machine usually has all addresses of an IPv6 network of 64 bits.
    pub(super) fn new(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::from([a, b, c, d, 0, 0, 0, 0])
            }
            address => address,
        })
    }
}

/// Which connection makes room for another one: the oldest of the source that has the most. The connections are listed
/// the oldest first, each with its number.
pub(super) fn makes_room(connections: impl Iterator<Item = (usize, Source)>) -> Option<usize> {
    let mut sources = BTreeMap::<Source, (usize, usize)>::new();
    for (at, source) in connections {
        sources.entry(source).or_insert((0, at)).0 += 1;
    }
    let (_, oldest) = sources.into_values().max_by_key(|(count, at)| (*count, usize::MAX - at))?;
    Some(oldest)
}

/// An open WebSocket.
#[derive(Debug)]
struct Open {
    number: u64,
    source: Source,
    /// How it learns that it must make room. `None` once it has shown a right secret.
    leave: Option<oneshot::Sender<()>>,
}

#[derive(Debug, Default)]
struct All {
    /// The oldest first.
    open: Vec<Open>,
    next: u64,
}

/// The WebSockets of a door.
#[derive(Debug)]
pub(super) struct Sockets {
    most: usize,
    all: Mutex<All>,
}

/// The place of one WebSocket. It is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Share {
    sockets: Arc<Sockets>,
    number: u64,
}

/// Answered when the WebSocket must make room.
pub(super) type Taken = oneshot::Receiver<()>;

impl Sockets {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, all: Mutex::default() })
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a WebSocket. `None` if there is no room, and all others have shown right secrets.
    pub(super) fn open(self: &Arc<Self>, source: Source) -> Option<(Share, Taken)> {
        let (leave, taken) = oneshot::channel();
        let mut all = self.all();
        if all.open.len() >= self.most {
            let silent = all.open.iter().enumerate().filter(|(_, open)| open.leave.is_some());
            let at = makes_room(silent.map(|(at, open)| (at, open.source)))?;
            if let Some(leave) = all.open.remove(at).leave {
                // The connection may have ended just now.
                let _ = leave.send(());
            }
        }
        let number = all.next;
        all.next += 1;
        all.open.push(Open { number, source, leave: Some(leave) });
        Some((Share { sockets: Arc::clone(self), number }, taken))
    }
}

impl Share {
    /// Notes that the WebSocket has shown a right secret: it makes room for nobody.
    pub(super) fn keep(&self) {
        let mut all = self.sockets.all();
        if let Some(open) = all.open.iter_mut().find(|open| open.number == self.number) {
            open.leave = None;
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.sockets.all().open.retain(|open| open.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(last: u8) -> Source {
        Source::new(IpAddr::from([192, 0, 2, last]))
    }

    /// Whether a WebSocket still has its place.
    fn is_open((_, taken): &mut (Share, Taken)) -> bool {
        taken.try_recv() == Err(oneshot::error::TryRecvError::Empty)
    }

    #[test]
    fn the_oldest_without_a_secret_makes_room() {
        let sockets = Sockets::new(3);
        let mut open: Vec<_> = (0..3).map(|_| sockets.open(source(1)).unwrap()).collect();
        open[0].0.keep();
        let mut next = sockets.open(source(1)).unwrap();
        assert_eq!(open[1].1.try_recv(), Ok(()));
        assert!(is_open(&mut open[2]) && is_open(&mut next));
        assert!(sockets.all().open.iter().any(|one| one.number == open[0].0.number));
    }

    #[test]
    fn many_of_one_origin_make_room_before_one_of_another() {
        let sockets = Sockets::new(4);
        let mut guest = sockets.open(source(1)).unwrap();
        let mut flood: Vec<_> = (0..100).filter_map(|_| sockets.open(source(2))).collect();
        assert_eq!(flood.len(), 100);
        assert!(is_open(&mut guest));
        assert_eq!(flood.iter_mut().filter_map(|one| is_open(one).then_some(())).count(), 3);
    }

    #[test]
    fn those_with_a_secret_make_no_room_and_leave_a_place_behind() {
        let sockets = Sockets::new(2);
        let open: Vec<_> = (0..2).map(|_| sockets.open(source(1)).unwrap()).collect();
        open.iter().for_each(|(share, _)| share.keep());
        assert!(sockets.open(source(2)).is_none());
        drop(open);
        assert!(sockets.open(source(2)).is_some());
        assert!(sockets.all().open.is_empty());
    }

    #[test]
    fn one_machine_is_one_origin() {
        let of = |text: &str| Source::new(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::2:0:0:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
