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

/// A name that threads have, each distinct one once. 0: none.
using ThreadNameId = Id<struct ThreadNameTag>;

/// Which of the threads that had one number it was: 0 the first, as far as the trace tells (see ThreadLives). It stands
/// in sites, beside the number.
using ThreadLife = std::uint16_t;

/// What threads were called last. The pipeline thread changes it; readers get an immutable copy through PublishedTrace.
/// Ids stay the same for all of a trace.
class ThreadNames {
  public:
    ThreadNames();

    /// False: it had that name already. An empty name is none.
    bool set(ThreadId thread, ThreadLife life, std::string_view name);

    [[nodiscard]] ThreadNameId of(ThreadId thread, ThreadLife life) const {
        if (names_.size() <= 1) return {};
        const auto found = ofThreads_.find(Key{thread.value, life});
        return found == ofThreads_.end() ? ThreadNameId{} : found->second;
    }
    /// Empty for 0, and for ids that are none.
    [[nodiscard]] std::string_view text(ThreadNameId id) const {
        return id.value < names_.size() ? std::string_view(*names_[id.value]) : std::string_view();
    }
    /// Whether no thread has one.
    [[nodiscard]] bool isEmpty() const { return names_.size() <= 1; }

    /// What readers need, for who writes it to a file or takes it from there (core/pipeline/index): archive(fields...).
    /// `self` may be const.
    template <typename Self, typename Archive>
    static void forReaders(Self& self, Archive& archive) {
        archive(self.ofThreads_, self.names_);
    }

  private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;

    [[nodiscard]] ThreadNameId intern(std::string_view name);

    tsl::robin_map<Key, ThreadNameId, SeededHash> ofThreads_;                         ///< only those that have one
    std::vector<std::shared_ptr<const std::string>> names_;                           ///< shared by all copies
    tsl::robin_map<std::string_view, ThreadNameId, SeededHash, std::equal_to<>> ids_; ///< views of names_
};

} // namespace highwater::store
