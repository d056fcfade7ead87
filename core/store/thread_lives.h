#pragma once

#include "core/base/seeded_hash.h"
#include "core/event/process_events.h"
#include "core/store/published/thread_names.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace highwater::store {

/// Distinguishes threads that had the same id one after another, and stores the last name of each. A name that comes
/// after an allocation applies to its thread, but not to the next thread with this id. Thread ids are system-wide, so a
/// thread that allocates in another process also has its name there. Pipeline thread only.
class ThreadLives {
  public:
    void apply(const ThreadEvent& event);
    /// The current life of this id. Called for every event; the first thread of an id costs one comparison.
    [[nodiscard]] ThreadLife current(ThreadId thread) const {
        if (thread.value < numbers_.size()) return numbers_[thread.value];
        return largeNumbers_.empty() ? ThreadLife{0} : ofLargeNumber(thread);
    }
    [[nodiscard]] const ThreadNames& names() const { return names_; }
    /// Changes of names() since construction: a copy is stale when its count differs.
    [[nodiscard]] std::uint64_t changes() const { return changes_; }

  private:
    /// All lives beyond this one share a number.
    static constexpr ThreadLife kMostLives = std::numeric_limits<ThreadLife>::max();
    /// Linux does not assign larger ids, and Windows rarely does.
    static constexpr std::uint32_t kUsualNumbers = std::uint32_t{1} << 22;

    struct Life {
        std::uint32_t pid = 0;
        ThreadLife number = 0;
        TraceTime start = kBeforeTrace;
        TraceTime end = kNever;
    };

    [[nodiscard]] static bool isAnother(const Life& life, const ThreadEvent& event);
    void setCurrent(std::uint32_t tid, ThreadLife number);
    [[nodiscard]] ThreadLife ofLargeNumber(ThreadId thread) const;

    tsl::robin_map<std::uint32_t, Life, SeededHash> lives_; ///< the last life of each id
    std::vector<ThreadLife> numbers_;                       ///< [tid], if there was more than one life
    tsl::robin_map<std::uint32_t, ThreadLife, SeededHash> largeNumbers_;
    ThreadNames names_;
    std::uint64_t changes_ = 0;
};

} // namespace highwater::store
