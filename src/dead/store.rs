//! The positions visited, each once, under exact keys.
//!
//! In: positions as [`Code`]s, and which led to each first. Out: whether one is new, and its number.
//! A table of hashes only says where to look; the keys themselves are compared.

/// An exact key.
pub(super) trait Code: Copy + Eq {
    /// A number well spread, to choose a slot by.
    fn hash(self) -> u64;
}

/// What has been done with a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// To be looked at.
    Open,
    /// The same, and it came by a pawn move or capture: new regions may have closed.
    Changed,
    /// Its moves have been generated, or it is known to lead nowhere.
    Done,
}

/// Bits of a number; the rest of a link is the state, of a table's entry a part of the hash.
const NUMBER: u32 = (1 << 24) - 1;
/// From here on there is room for all at once.
const MANY: usize = 1 << 14;
const FEW: usize = 1 << 9;

/// Positions by number, and a table to find them.
pub(super) struct Store<C> {
    codes: Vec<C>,
    /// The number of the position before, and the state.
    links: Vec<u32>,
    /// Open addressing: number + 1, and eight bits of the hash; 0 is empty.
    table: Vec<u32>,
    limit: usize,
}

impl<C: Code> Store<C> {
    /// For at most `limit` positions.
    pub(super) fn new(limit: usize) -> Store<C> {
        let few = FEW.min(limit.max(1));
        Store {
            codes: Vec::with_capacity(few),
            links: Vec::with_capacity(few),
            table: vec![0; slots(few)],
            limit,
        }
    }

    /// The same positions under other keys, for at most `limit`; `None` if one has no such key.
    pub(super) fn recode<D: Code>(
        &self,
        limit: usize,
        code: impl Fn(C) -> Option<D>,
    ) -> Option<Store<D>> {
        let codes = self.codes.iter().map(|&one| code(one)).collect::<Option<Vec<D>>>()?;
        let mut store = Store {
            codes,
            links: self.links.clone(),
            table: vec![0; slots(self.codes.len())],
            limit,
        };
        store.fill();
        Some(store)
    }

    pub(super) fn clear(&mut self) {
        self.codes.clear();
        self.links.clear();
        self.table.fill(0);
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.codes.len()).unwrap_or(NUMBER)
    }

    pub(super) fn code(&self, at: u32) -> C {
        self.codes[at as usize]
    }

    pub(super) fn parent(&self, at: u32) -> u32 {
        self.links[at as usize] & NUMBER
    }

    pub(super) fn state(&self, at: u32) -> State {
        match self.links[at as usize] >> 24 {
            0 => State::Open,
            1 => State::Changed,
            _ => State::Done,
        }
    }

    pub(super) fn done(&mut self, at: u32) {
        let link = &mut self.links[at as usize];
        *link = (*link & NUMBER) | (State::Done as u32) << 24;
    }

    /// What the table holds where a search for this hash begins.
    ///
    /// Memory answers many such questions at a time, if none has to wait for another; so they are
    /// asked for all children of a position before the first is decided.
    pub(super) fn first(&self, hash: u64) -> u32 {
        self.table[self.place(hash).0]
    }

    /// Whether this entry of the table is of this position.
    pub(super) fn is(&self, entry: u32, code: C, hash: u64) -> bool {
        entry != 0
            && entry & !NUMBER == tag(hash)
            && self.codes[(entry & NUMBER) as usize - 1] == code
    }

    /// Whether the position of this hash has been seen.
    pub(super) fn seen(&self, code: C, hash: u64) -> bool {
        let (mut slot, tag) = self.place(hash);
        loop {
            match self.table[slot] {
                0 => return false,
                entry
                    if entry & !NUMBER == tag
                        && self.codes[(entry & NUMBER) as usize - 1] == code =>
                {
                    return true;
                }
                _ => {}
            }
            slot = if slot + 1 == self.table.len() { 0 } else { slot + 1 };
        }
    }

    /// Adds a position that has not been seen; its number.
    pub(super) fn insert(&mut self, code: C, hash: u64, parent: u32, state: State) -> u32 {
        let at = self.count();
        if self.codes.len() == self.codes.capacity() {
            let now = self.codes.len();
            let room = if now < MANY { (4 * now).min(self.limit) } else { self.limit };
            self.codes.reserve_exact(room.saturating_sub(now).max(1));
            self.links.reserve_exact(room.saturating_sub(now).max(1));
        }
        self.codes.push(code);
        self.links.push((parent & NUMBER) | (state as u32) << 24);
        if self.codes.len() * 8 > self.table.len() * 7 {
            let room = self.codes.capacity();
            self.table = Vec::new();
            self.table = vec![0; slots(room)];
            self.fill();
        } else {
            self.link(at, hash);
        }
        at
    }

    fn fill(&mut self) {
        for at in 0..self.count() {
            self.link(at, self.codes[at as usize].hash());
        }
    }

    fn link(&mut self, at: u32, hash: u64) {
        let (mut slot, tag) = self.place(hash);
        while self.table[slot] != 0 {
            slot = if slot + 1 == self.table.len() { 0 } else { slot + 1 };
        }
        self.table[slot] = (at + 1) | tag;
    }

    /// The first slot to look at, and the part of the hash kept there.
    fn place(&self, hash: u64) -> (usize, u32) {
        let high = hash >> 32;
        let slot = (high * self.table.len() as u64) >> 32;
        (usize::try_from(slot).unwrap_or(0), tag(hash))
    }
}

/// The part of a hash that the table keeps.
fn tag(hash: u64) -> u32 {
    u32::try_from(hash & u64::from(u32::MAX)).unwrap_or(0) & !NUMBER
}

/// Slots for so many positions: half of them used at most where that is not much, else seven eighths.
const fn slots(positions: usize) -> usize {
    if positions <= 4 * MANY { 2 * positions + 8 } else { positions * 8 / 7 + 8 }
}

/// The most memory for so many positions under keys of so many bytes, in bytes.
pub(super) const fn memory(positions: usize, code: usize) -> usize {
    positions * (code + 4) + 4 * slots(positions)
}

#[cfg(test)]
mod tests {
    use super::{Code, State, Store};

    impl Code for u64 {
        fn hash(self) -> u64 {
            // Few different hashes: keys must be told apart all the same.
            ((self % 17) << 40) | ((self % 3) << 25)
        }
    }

    #[test]
    fn keys_of_the_same_hash_are_told_apart() {
        let mut store = Store::new(2_000);
        for key in 0..1_000u64 {
            let hash = (key * 7).hash();
            assert!(!store.seen(key * 7, hash));
            let state = if key % 2 == 0 { State::Open } else { State::Changed };
            assert_eq!(u64::from(store.insert(key * 7, hash, 5, state)), key);
        }
        for key in 0..7_000u64 {
            let seen = store.seen(key, key.hash());
            assert_eq!(seen, key % 7 == 0);
            assert!(seen || !store.is(store.first(key.hash()), key, key.hash()));
        }
        store.done(3);
        assert_eq!(
            (store.state(2), store.state(3), store.parent(3)),
            (State::Open, State::Done, 5)
        );
        let again = store.recode(3_000, |key| Some(key + 1)).unwrap();
        assert!(again.seen(8, 8.hash()) && !again.seen(7, 7.hash()));
        assert_eq!(again.state(3), State::Done);
    }
}
