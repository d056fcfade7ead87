#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace highwater::source {

/// Pids of recorded processes that a source finds while it runs, for RecordSource::foundProcesses(). Any thread.
class FoundProcesses {
  public:
    void add(std::span<const std::uint32_t> pids) const {
        const std::lock_guard lock(list_->mutex);
        list_->pids.insert(list_->pids.end(), pids.begin(), pids.end());
    }
    /// Returns the pids since its last call, even after this object was destroyed.
    [[nodiscard]] std::function<std::vector<std::uint32_t>()> taker() const {
        return [list = list_] {
            const std::lock_guard lock(list->mutex);
            return std::exchange(list->pids, {});
        };
    }

  private:
    struct List {
        std::mutex mutex;
        std::vector<std::uint32_t> pids;
    };
    std::shared_ptr<List> list_ = std::make_shared<List>();
};

} // namespace highwater::source
