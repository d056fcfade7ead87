#pragma once

#include "core/base/huge_pages.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace highwater::store {

/// Finds the dense id of a key that is stored in another column, indexed by that id. Nothing is ever removed. For many,
/// rarely used keys: each entry has eight bytes, the id and the upper half of the key's hash. Therefore hardly any
/// other key is compared, and growing compares none. (PrefetchedIndex is for keys that each event uses.) Hashes: seeded
/// (core/base/seeded_hash.h). One thread at a time.
class IdIndex {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    /// The id that was inserted with this hash and for which isIt(id); kNone if there is none.
    template <typename IsIt>
    [[nodiscard]] std::uint32_t find(std::uint64_t hash, const IsIt& isIt) const {
        if (entries_.empty()) return kNone;
        const auto tag = tagOf(hash);
        for (auto slot = homeOf(tag);; slot = next(slot)) {
            const auto& entry = entries_[slot];
            if (entry.id == kNone) return kNone;
            if (entry.tag == tag && isIt(entry.id)) [[likely]]
                return entry.id;
        }
    }
    /// Call shortly before look-ups of this hash.
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
        if (!entries_.empty()) __builtin_prefetch(&entries_[homeOf(tagOf(hash))]);
    }
    /// Makes room for `count` keys in total. Growing step by step costs twice as much.
    void reserve(std::size_t count) {
        auto bits = kFirstBits;
        while (bits < kMostBits && fullAt(bits) < count)
            ++bits;
        if (fullAt(bits) > limit_) growTo(bits);
    }
    /// The key must be new.
    void insert(std::uint64_t hash, std::uint32_t id) {
        if (count_ >= limit_) growTo(entries_.empty() ? kFirstBits : kMostBits - shift_ + 1);
        entries_[freeSlot(tagOf(hash))] = Entry{tagOf(hash), id};
        ++count_;
    }

    [[nodiscard]] std::uint64_t bytesReserved() const { return entries_.capacity() * sizeof(Entry); }

  private:
    struct Entry {
        std::uint32_t tag = 0;
        std::uint32_t id = kNone;
    };
    using Entries = std::vector<Entry, LargeAllocator<Entry>>;

    [[nodiscard]] static std::uint32_t tagOf(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
    [[nodiscard]] std::size_t homeOf(std::uint32_t tag) const { return tag >> shift_; }
    [[nodiscard]] std::size_t next(std::size_t slot) const { return (slot + 1) & (entries_.size() - 1); }
    [[nodiscard]] std::size_t freeSlot(std::uint32_t tag) const {
        auto slot = homeOf(tag);
        while (entries_[slot].id != kNone)
            slot = next(slot);
        return slot;
    }
    static std::size_t fullAt(unsigned bits) { return (std::size_t{1} << bits) / 4 * 3; }
    void growTo(unsigned bits) {
        Entries larger(std::size_t{1} << bits);
        shift_ = kMostBits - bits;
        limit_ = fullAt(bits);
        entries_.swap(larger);
        for (const auto& entry : larger) {
            if (entry.id != kNone) entries_[freeSlot(entry.tag)] = entry;
        }
    }

    static constexpr unsigned kFirstBits = 6;
    static constexpr unsigned kMostBits = 32; ///< bits of a tag
    Entries entries_;
    unsigned shift_ = kMostBits - kFirstBits; ///< kMostBits - log2 of the number of entries
    std::size_t count_ = 0;
    std::size_t limit_ = 0; ///< the table grows at this count_
};

/// The same for keys that each event uses. Look-ups are nearly always cache misses. Therefore an entry contains its
/// key, neighbours are probed, and the caller can prefetch the entry (which comes late, or not at all, unless it is in
/// a large page). Hash: a stateless function object with well mixed high bits. Pipeline thread only.
template <typename Key, typename Hash>
class PrefetchedIndex {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    // Forced inline because compilers remove calls of functions that only prefetch as free of side effects.
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
        if (!entries_.empty()) __builtin_prefetch(&entries_[hash >> shift_]);
    }
    /// kNone if there is none.
    [[nodiscard]] std::uint32_t find(std::uint64_t hash, const Key& key) const {
        if (entries_.empty()) return kNone;
        return entries_[slotOf(hash, key)].id;
    }
    /// The key must be new.
    void insert(const Key& key, std::uint32_t id) {
        if (count_ >= entries_.size() / 3 * 2) grow();
        entries_[slotOf(Hash{}(key), key)] = Entry{key, id};
        ++count_;
    }

    [[nodiscard]] std::uint64_t bytesReserved() const { return entries_.capacity() * sizeof(Entry); }

  private:
    struct Entry {
        Key key{};
        std::uint32_t id = kNone;
    };
    using Entries = std::vector<Entry, LargeAllocator<Entry>>;

    [[nodiscard]] std::size_t slotOf(std::uint64_t hash, const Key& key) const {
        auto slot = static_cast<std::size_t>(hash >> shift_);
        while (entries_[slot].id != kNone && !(entries_[slot].key == key)) {
            slot = (slot + 1) & (entries_.size() - 1);
        }
        return slot;
    }
    void grow() {
        const auto entryCount = entries_.empty() ? std::size_t{1} << kFirstBits : entries_.size() * 2;
        Entries larger(entryCount);
        shift_ = entries_.empty() ? 64 - kFirstBits : shift_ - 1;
        entries_.swap(larger);
        for (const auto& entry : larger) {
            if (entry.id != kNone) entries_[slotOf(Hash{}(entry.key), entry.key)] = entry;
        }
    }

    static constexpr unsigned kFirstBits = 6;
    Entries entries_;
    unsigned shift_ = 64 - kFirstBits;
    std::size_t count_ = 0;
};

} // namespace highwater::store
