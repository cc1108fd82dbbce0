//! The triangular principal variation table: the best line below each node on the path.

use super::MAX_PLY;

#[derive(Debug)]
pub(super) struct PvTable<M>(Vec<Vec<M>>);

impl<M: Copy> PvTable<M> {
    pub(super) fn new() -> Self {
        Self(vec![Vec::new(); MAX_PLY + 2])
    }

    /// Begins a node without a line.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the best line of the node at `ply`: `mv`, then the line of its child.
    pub(super) fn extend(&mut self, ply: usize, mv: M) {
        let (node, child) = self.0.split_at_mut(ply + 1);
        node[ply].clear();
        node[ply].push(mv);
        node[ply].extend_from_slice(&child[0]);
    }

    /// The line of the node at `ply`.
    pub(super) fn at(&self, ply: usize) -> &[M] {
        &self.0[ply]
    }
}
