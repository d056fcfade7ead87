#pragma once

#include "core/base/seeded_hash.h"
#include "core/event/process_events.h"
#include "core/store/published/thread_names.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace highwater::store {

/// Tells threads apart that had one number after another, and keeps what each was called last: a name that comes after
/// an allocation is that of its thread, but not that of the next thread of this number. Numbers of threads are those of
/// the whole system, so a thread that allocates in another process has its name there, too. Pipeline thread only.
class ThreadLives {
  public:
    void apply(const ThreadEvent& event);
    /// The one that has this number now. Asked for every event: threads that are the first of their number cost a
    /// comparison.
    [[nodiscard]] ThreadLife current(ThreadId thread) const {
        if (thread.value < numbers_.size()) return numbers_[thread.value];
        return largeNumbers_.empty() ? ThreadLife{0} : ofLargeNumber(thread);
    }
    [[nodiscard]] const ThreadNames& names() const { return names_; }
    /// Changes of names() since construction: a copy is stale when its count differs.
    [[nodiscard]] std::uint64_t changes() const { return changes_; }

  private:
    /// Beyond it one life is as good as the last: all that follow have one number.
    static constexpr ThreadLife kMostLives = std::numeric_limits<ThreadLife>::max();
    /// Linux gives out no larger ones, Windows hardly.
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

    tsl::robin_map<std::uint32_t, Life, SeededHash> lives_; ///< the last one of each number
    std::vector<ThreadLife> numbers_;                       ///< [tid], as far as there was more than one life
    tsl::robin_map<std::uint32_t, ThreadLife, SeededHash> largeNumbers_;
    ThreadNames names_;
    std::uint64_t changes_ = 0;
};

} // namespace highwater::store
