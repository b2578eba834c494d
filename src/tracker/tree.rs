//! Positions the board may have reached since the last confirmed move.
//!
//! The root is the last confirmed position. A node is a legal position whose placement the board
//! has shown, or one that must lie between two it has shown.

use std::{
    array,
    iter::{Chain, Take},
    ops::{Deref, DerefMut},
    slice, vec,
};

use shakmaty::{Chess, Move, Position};

use crate::{
    tracker::{keys::Key, stands::takes_king},
    units::Stamp,
};

/// A node of the tree. Valid until the tree is rerooted, reset or pruned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeId(usize);

/// The last confirmed position.
pub const ROOT: NodeId = NodeId(0);

/// Nodes kept in place: a longer list is rare.
const FEW: usize = 12;

/// A few nodes, in order.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    few: [NodeId; FEW],
    len: usize,
    /// All of them, once they are more than a few.
    many: Vec<NodeId>,
}

impl Nodes {
    /// Adds one at the end.
    pub fn push(&mut self, id: NodeId) {
        if self.many.is_empty() && self.len < FEW {
            self.few[self.len] = id;
            self.len += 1;
        } else {
            self.many.extend(&self.few[..std::mem::take(&mut self.len)]);
            self.many.push(id);
        }
    }
}

impl Deref for Nodes {
    type Target = [NodeId];

    fn deref(&self) -> &[NodeId] {
        if self.many.is_empty() { &self.few[..self.len] } else { &self.many }
    }
}

impl DerefMut for Nodes {
    fn deref_mut(&mut self) -> &mut [NodeId] {
        if self.many.is_empty() { &mut self.few[..self.len] } else { &mut self.many }
    }
}

impl IntoIterator for Nodes {
    type Item = NodeId;
    type IntoIter = Chain<Take<array::IntoIter<NodeId, FEW>>, vec::IntoIter<NodeId>>;

    fn into_iter(self) -> Self::IntoIter {
        self.few.into_iter().take(self.len).chain(self.many)
    }
}

impl<'a> IntoIterator for &'a Nodes {
    type Item = &'a NodeId;
    type IntoIter = slice::Iter<'a, NodeId>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A legal move of a node and the key of the placement after it.
#[derive(Clone, Copy, Debug)]
struct Child {
    key: Key,
    m: Move,
}

/// A position the board may have reached.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub struct Node {
    /// The position.
    pub position: Chess,
    /// The key of its placement.
    pub key: Key,
    /// Node before it and the move between; none for the root.
    pub parent: Option<(NodeId, Move)>,
    /// When the board first showed it, or the best guess for one it never showed.
    pub made: Stamp,
    /// Until when the board last showed it; of one it never showed, its parent.
    pub shown_until: Stamp,
    /// Whether the board showed it.
    pub seen: bool,
    /// Whether another line explains the board about as well.
    pub doubt: bool,
    /// Whether it waits for what comes next before it counts as shown.
    pub pending: bool,
    /// Whether it waits because it is far-fetched, although the board shows it.
    pub held: bool,
    children: Vec<Child>,
    /// The slots of the keys of its children.
    slots: Slots,
}

/// Which of 256 slots some keys fall into: a key of another slot is none of them.
#[derive(Clone, Copy, Debug, Default)]
struct Slots([u64; 4]);

impl Slots {
    fn add(&mut self, key: Key) {
        let slot = key.slot();
        self.0[usize::from(slot >> 6)] |= 1 << (slot & 63);
    }

    fn may_hold(&self, key: Key) -> bool {
        let slot = key.slot();
        self.0[usize::from(slot >> 6)] >> (slot & 63) & 1 == 1
    }
}

/// More hypotheses than this are never kept: a hand that slides over every square of two lines
/// leaves fewer.
const MOST_NODES: usize = 40;

/// Lists of moves kept to be filled again: what a reroot frees, the next moves take.
const SPARES: usize = 4;
/// From so many nodes that wait for what comes next longer lines are looked for.
const MOST_WAITING: usize = 3;

/// The tree.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    spare: Vec<Vec<Child>>,
    /// Empty lists to be filled again: the nodes when they are rebuilt, and where each went.
    before: Vec<Node>,
    moved: Vec<Option<NodeId>>,
    /// Nodes made so far.
    made: u64,
}

impl Tree {
    /// A tree of one confirmed position.
    pub fn new(position: Chess, made: Stamp) -> Tree {
        let (nodes, before) = (Vec::new(), Vec::new());
        let mut tree = Tree { nodes, spare: Vec::new(), before, moved: Vec::new(), made: 0 };
        tree.reset(position, made);
        tree
    }

    /// Forgets everything and starts from a confirmed position.
    pub fn reset(&mut self, position: Chess, made: Stamp) {
        for node in self.nodes.drain(..) {
            Tree::free(&mut self.spare, node);
        }
        let key = Key::of(position.board());
        self.push(Node {
            position,
            key,
            parent: None,
            made,
            shown_until: made,
            seen: true,
            doubt: false,
            pending: false,
            held: false,
            children: Vec::new(),
            slots: Slots::default(),
        });
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// The last confirmed position.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// All nodes.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    /// Whether no move is legal at this node: the game ends here by mate or stalemate.
    pub fn is_end(&self, id: NodeId) -> bool {
        self.nodes[id.0].children.is_empty()
    }

    /// The nodes from the root (left out) to this one.
    pub fn path(&self, id: NodeId) -> Nodes {
        let mut path = Nodes::default();
        let mut at = id;
        while let Some((parent, _)) = self.nodes[at.0].parent {
            path.push(at);
            at = parent;
        }
        path.reverse();
        path
    }

    /// Half-moves from the root to this node.
    pub fn depth(&self, id: NodeId) -> u32 {
        let mut depth = 0;
        let mut at = id;
        while let Some((parent, _)) = self.nodes[at.0].parent {
            depth += 1;
            at = parent;
        }
        depth
    }

    /// Makes a node of every position with one of these keys that is a node or one legal move away from
    /// one, and marks all as seen now.
    pub fn grow(&mut self, keys: &[Key], now: Stamp, found: &mut Vec<NodeId>) {
        found.clear();
        let Some((&first, others)) = keys.split_first() else { return };
        let wanted = |key: Key| key == first || others.contains(&key);
        let known = self.nodes.len();
        for at in 0..known {
            if wanted(self.nodes[at].key) && !self.nodes[at].pending {
                self.nodes[at].seen = true;
                found.push(NodeId(at));
            }
            // A hand in the air shows nothing that is a move away.
            if !keys.iter().any(|&key| self.nodes[at].slots.may_hold(key)) {
                continue;
            }
            let mut rest = 0;
            while let Some(next) =
                self.nodes[at].children[rest..].iter().position(|child| wanted(child.key))
            {
                let m = self.nodes[at].children[rest + next].m;
                rest += next + 1;
                if !self.has_child(NodeId(at), m, known) {
                    let id = self.add(NodeId(at), m, now, true);
                    found.push(id);
                }
            }
        }
    }

    /// Adds the position after a legal move; the existing node if there is one.
    pub fn add(&mut self, parent: NodeId, m: Move, now: Stamp, seen: bool) -> NodeId {
        if let Some(at) =
            self.nodes.iter().position(|node| node.parent.is_some_and(|p| p == (parent, m)))
        {
            if seen {
                self.nodes[at].pending = false;
                self.nodes[at].held = false;
            }
            if seen && !self.nodes[at].seen {
                self.nodes[at].seen = true;
                self.nodes[at].made = now;
                self.nodes[at].shown_until = now;
            }
            return NodeId(at);
        }
        let before = &self.nodes[parent.0];
        let key = before.key.after(before.position.turn(), m);
        let mut position = before.position.clone();
        position.play_unchecked(m);
        // What is confirmed, or has stood on the board, is no longer in doubt, however it came about.
        let doubt = before.doubt && !before.seen && parent != ROOT;
        let shown_until = if seen { now } else { before.shown_until };
        self.push(Node {
            position,
            key,
            parent: Some((parent, m)),
            made: now,
            shown_until,
            seen,
            doubt,
            pending: false,
            held: false,
            children: Vec::new(),
            slots: Slots::default(),
        })
    }

    /// The board showed this node until now.
    pub fn left(&mut self, id: NodeId, now: Stamp) {
        self.nodes[id.0].shown_until = now;
    }

    /// A node that never showed must have stood until then, or later.
    pub fn stood_until(&mut self, id: NodeId, at: Stamp) {
        let node = &mut self.nodes[id.0];
        if !node.seen {
            node.shown_until = node.shown_until.max(at);
        }
    }

    /// A placement that came about again is not what the board shows of this node: it came about, and
    /// went, before.
    pub fn redate(&mut self, id: NodeId, made: Stamp, until: Stamp) {
        let node = &mut self.nodes[id.0];
        if node.seen && made < node.made {
            node.made = made;
            node.shown_until = until.min(node.shown_until);
        }
    }

    /// Makes a node wait for what comes next, unless the board has shown it.
    pub fn set_pending(&mut self, id: NodeId) {
        self.nodes[id.0].pending = !self.nodes[id.0].seen;
    }

    /// Makes a node wait for what comes next although the board seems to show it.
    pub fn hold(&mut self, id: NodeId) {
        self.nodes[id.0].seen = false;
        self.nodes[id.0].pending = true;
        self.nodes[id.0].held = true;
    }

    /// A node that was held counts as shown.
    pub fn release(&mut self, id: NodeId) {
        self.nodes[id.0].seen = true;
        self.nodes[id.0].pending = false;
        self.nodes[id.0].held = false;
    }

    /// The last few nodes that wait for what comes next.
    pub fn waiting(&self) -> impl Iterator<Item = NodeId> {
        self.ids().rev().filter(|id| self.nodes[id.0].pending).take(MOST_WAITING)
    }

    /// Whether a node more would be one too many.
    pub fn full(&self) -> bool {
        self.nodes.len() >= MOST_NODES
    }

    /// Whether more than half of the nodes there may be are there.
    pub fn crowded(&self) -> bool {
        self.nodes.len() > MOST_NODES / 2
    }

    /// Whether so many nodes are there that hands must have been at work for long and nothing been
    /// believed.
    pub fn overgrown(&self) -> bool {
        self.nodes.len() >= 32 * MOST_NODES
    }

    /// Whether twice as many are there.
    pub fn bursting(&self) -> bool {
        self.nodes.len() >= 64 * MOST_NODES
    }

    /// Nodes made since the tree was.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// Marks a node as one of several explanations.
    pub fn set_doubt(&mut self, id: NodeId) {
        self.nodes[id.0].doubt = true;
    }

    /// Makes this node the confirmed root; what does not follow from it is forgotten. Answers
    /// where `follow`, a node below it, went.
    pub fn reroot(&mut self, id: NodeId, follow: NodeId) -> NodeId {
        // The root is no node of a path.
        self.rebuild(id, |_| id != ROOT, follow)
    }

    /// Forgets all but the line to `keep` if there are too many nodes; answers where it went.
    pub fn trim(&mut self, keep: NodeId) -> Option<NodeId> {
        (self.nodes.len() > MOST_NODES).then(|| self.keep_only(keep))
    }

    /// Forgets all but the line to `keep`; answers where it went.
    pub fn keep_only(&mut self, keep: NodeId) -> NodeId {
        let line = self.path(keep);
        self.rebuild(ROOT, |id| line.contains(&id), line.last().copied().unwrap_or(ROOT))
    }

    /// Keeps the root and what is wanted of the nodes below it.
    fn rebuild(&mut self, root: NodeId, wanted: impl Fn(NodeId) -> bool, follow: NodeId) -> NodeId {
        let mut old = std::mem::take(&mut self.nodes);
        std::mem::swap(&mut self.nodes, &mut self.before);
        self.moved.clear();
        // All nodes stand behind their parents, so that the root comes first.
        for (at, mut node) in old.drain(..).enumerate() {
            let parent = match node.parent {
                _ if at == root.0 => Some(None),
                Some((parent, m)) if wanted(NodeId(at)) => {
                    self.moved[parent.0].map(|parent| Some((parent, m)))
                }
                _ => None,
            };
            self.moved.push(parent.map(|_| NodeId(self.nodes.len())));
            if let Some(parent) = parent {
                node.parent = parent;
                self.nodes.push(node);
            } else {
                Tree::free(&mut self.spare, node);
            }
        }
        self.before = old;
        self.moved[follow.0].unwrap_or(ROOT)
    }

    /// Keeps the lists of a few nodes that are forgotten, empty: a copy of the tree copies no moves
    /// nobody reads.
    fn free(spare: &mut Vec<Vec<Child>>, mut node: Node) {
        if spare.len() < SPARES {
            node.children.clear();
            spare.push(node.children);
        }
    }

    fn has_child(&self, parent: NodeId, m: Move, among: usize) -> bool {
        self.nodes[..among].iter().any(|node| node.parent == Some((parent, m)))
    }

    fn push(&mut self, mut node: Node) -> NodeId {
        self.made += 1;
        node.children = self.spare.pop().unwrap_or_default();
        node.children.clear();
        let turn = node.position.turn();
        let key = node.key;
        node.children.extend(
            node.position
                .legal_moves()
                .iter()
                .filter(|m| !takes_king(**m))
                .map(|&m| Child { key: key.after(turn, m), m }),
        );
        node.slots = Slots::default();
        for child in &node.children {
            node.slots.add(child.key);
        }
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;

    use super::*;

    fn after(position: &Chess, uci: &str) -> (Chess, Move) {
        let m = uci.parse::<UciMove>().unwrap().to_move(position).unwrap();
        let mut next = position.clone();
        next.play_unchecked(m);
        (next, m)
    }

    #[test]
    fn a_slide_leaves_siblings_and_a_reply_selects_one() {
        let start = Chess::new();
        let mut tree = Tree::new(start.clone(), Stamp::ZERO);
        let (e3, _) = after(&start, "e2e3");
        let (e4, m4) = after(&start, "e2e4");
        let (reply, _) = after(&e4, "e7e5");
        let mut found = Vec::new();
        tree.grow(&[Key::of(e3.board())], Stamp::from_millis(1), &mut found);
        assert_eq!(found.len(), 1);
        tree.grow(&[Key::of(e4.board())], Stamp::from_millis(2), &mut found);
        assert_eq!(found.len(), 1);
        let sibling = found[0];
        assert_eq!(tree.node(sibling).parent, Some((ROOT, m4)));
        tree.grow(&[Key::of(reply.board())], Stamp::from_millis(3), &mut found);
        assert_eq!(tree.path(found[0])[0], sibling);
        let leaf = tree.reroot(sibling, found[0]);
        assert_eq!(tree.root().position, e4);
        assert_eq!(tree.node(leaf).position, reply);
        assert_eq!(tree.ids().count(), 2);
    }

    #[test]
    fn the_tree_stays_bounded() {
        // A queen on an empty board can be dragged over more squares than the tree keeps.
        let fen = "6k1/8/8/8/3Q4/8/8/K6Q w - - 0 1";
        let start: Chess = fen
            .parse::<shakmaty::fen::Fen>()
            .unwrap()
            .into_position(shakmaty::CastlingMode::Standard)
            .unwrap();
        let mut tree = Tree::new(start.clone(), Stamp::ZERO);
        let mut found = Vec::new();
        let key = Key::of(start.board());
        let moves = start.legal_moves();
        assert!(moves.len() > MOST_NODES);
        for &m in &moves {
            tree.grow(&[key.after(start.turn(), m)], Stamp::ZERO, &mut found);
            let at = tree.trim(found[0]).unwrap_or(found[0]);
            assert_eq!(tree.node(at).key, key.after(start.turn(), m));
            assert!(tree.ids().count() <= MOST_NODES);
        }
    }
}
