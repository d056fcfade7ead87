#pragma once

#include "core/base/ids.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::store {

/// A name of threads; each distinct name is stored once. 0 means none.
using ThreadNameId = Id<struct ThreadNameTag>;

/// Number of a thread among those with the same id in the trace, from 0 (see ThreadLives). Sites store it
/// beside the id.
using ThreadLife = std::uint16_t;

/// The last names of threads. The pipeline thread changes it. Readers get an immutable copy through PublishedTrace. Ids
/// are stable for the whole trace.
class ThreadNames {
  public:
    ThreadNames();

    /// False if it already had that name. An empty name counts as none.
    bool set(ThreadId thread, ThreadLife life, std::string_view name);

    [[nodiscard]] ThreadNameId of(ThreadId thread, ThreadLife life) const {
        if (names_.size() <= 1) return {};
        const auto found = ofThreads_.find(Key{thread.value, life});
        return found == ofThreads_.end() ? ThreadNameId{} : found->second;
    }
    /// Empty for 0 and for invalid ids.
    [[nodiscard]] std::string_view text(ThreadNameId id) const {
        return id.value < names_.size() ? std::string_view(*names_[id.value]) : std::string_view();
    }
    /// Whether no thread has a name.
    [[nodiscard]] bool isEmpty() const { return names_.size() <= 1; }

    /// Archives the fields that readers need, for code that writes them to or reads them from a file
    /// (core/pipeline/index): archive(fields...). `self` may be const.
    template <typename Self, typename Archive>
    static void forReaders(Self& self, Archive& archive) {
        archive(self.ofThreads_, self.names_);
    }

  private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;

    [[nodiscard]] ThreadNameId intern(std::string_view name);

    tsl::robin_map<Key, ThreadNameId, SeededHash> ofThreads_;                         ///< only threads with a name
    std::vector<std::shared_ptr<const std::string>> names_;                           ///< shared by all copies
    tsl::robin_map<std::string_view, ThreadNameId, SeededHash, std::equal_to<>> ids_; ///< views into names_
};

} // namespace highwater::store
