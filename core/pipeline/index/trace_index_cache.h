#pragma once

#include "core/pipeline/index/trace_index.h"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::pipeline {

/// Of index files, below the user's cache folder.
inline constexpr const char* kTraceIndexFolder = "highwater/traces";

/// Index files of traces that were opened, in a folder that only the user can read: one for the same files. A file is
/// written under another name and renamed; what is damaged, half-written, of files that have changed since, or of
/// another version of the program is as good as none. Several Highwaters may use the folder at once. Any thread.
class TraceIndexCache {
  public:
    struct Options {
        std::filesystem::path folder;
        /// Of all index files; those that were not used for the longest time go. An index that would take more than
        /// half of it is not written.
        std::uint64_t limitBytes = kUsualLimit;
        std::uint64_t leastTraceBytes = kUsualLeastTrace; ///< of smaller traces none is written: they open fast
        bool writes = true;                               ///< false: only what is there is used
    };
    static constexpr std::uint64_t kUsualLimit = std::uint64_t{4} << 30;
    static constexpr std::uint64_t kUsualLeastTrace = std::uint64_t{64} << 20;

    explicit TraceIndexCache(Options options) : options_(std::move(options)) {}

    /// A trace's files as they are now; ask before they are read. Empty: they have no index, and get none.
    [[nodiscard]] std::string keyOf(const std::vector<std::filesystem::path>& paths) const;
    /// Nothing: there is none that can be used.
    [[nodiscard]] std::optional<IndexedTrace> find(const std::string& key,
                                                   const std::vector<std::filesystem::path>& paths) const;
    /// Writes an index, where one is due: takes its time, at the priority of the caller. Nobody may write the trace's
    /// columns any more. `key`: from before the files were read; if they are others now, nothing is written.
    void save(const std::string& key, const std::vector<std::filesystem::path>& paths, const IndexedTrace& trace,
              const std::stop_token& stop);

  private:
    [[nodiscard]] std::filesystem::path pathOf(const std::vector<std::filesystem::path>& paths) const;
    [[nodiscard]] bool isWorthKeeping(const IndexedTrace& trace) const;
    [[nodiscard]] Result<void> write(const std::filesystem::path& path, const std::string& key,
                                     const std::vector<std::filesystem::path>& paths, const IndexedTrace& trace,
                                     const std::stop_token& stop) const;
    void removeOldest() const;

    Options options_;
    std::mutex mutex_; ///< one clean-up at a time
};

} // namespace highwater::pipeline
