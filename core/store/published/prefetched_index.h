#pragma once

#include "core/base/huge_pages.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace highwater::store {

/// Finds the dense id of a key. Nothing is ever removed. Look-ups here are nearly always cache misses: an entry carries
/// its key, neighbours are probed, and a caller that knows what it will ask for can have the entry fetched beforehand.
/// Hash: a stateless function object with well mixed high bits. Pipeline thread only.
template <typename Key, typename Hash>
class PrefetchedIndex {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    // Inlined by force: a call to a function that does nothing but prefetch counts as without effect and is removed.
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
        if (!entries_.empty()) __builtin_prefetch(&entries_[hash >> shift_]);
    }
    /// kNone: not there.
    [[nodiscard]] std::uint32_t find(std::uint64_t hash, const Key& key) const {
        if (entries_.empty()) return kNone;
        return entries_[slotOf(hash, key)].id;
    }
    /// The key is not there yet.
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

    [[nodiscard]] std::size_t slotOf(std::uint64_t hash, const Key& key) const {
        auto slot = static_cast<std::size_t>(hash >> shift_);
        while (entries_[slot].id != kNone && !(entries_[slot].key == key)) {
            slot = (slot + 1) & (entries_.size() - 1);
        }
        return slot;
    }
    void grow() {
        const auto entryCount = entries_.empty() ? std::size_t{1} << kFirstBits : entries_.size() * 2;
        std::vector<Entry> larger;
        larger.reserve(entryCount);
        // A prefetch that must walk the page tables first is dropped or late.
        preferHugePages(larger.data(), entryCount * sizeof(Entry));
        larger.resize(entryCount);
        shift_ = entries_.empty() ? 64 - kFirstBits : shift_ - 1;
        entries_.swap(larger);
        for (const auto& entry : larger) {
            if (entry.id != kNone) entries_[slotOf(Hash{}(entry.key), entry.key)] = entry;
        }
    }

    static constexpr unsigned kFirstBits = 6;
    std::vector<Entry> entries_;
    unsigned shift_ = 64 - kFirstBits;
    std::size_t count_ = 0;
};

} // namespace highwater::store
