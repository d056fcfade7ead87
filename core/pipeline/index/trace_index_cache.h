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

/// For index files, in the user's cache folder.
inline constexpr const char* kTraceIndexFolder = "highwater/traces";

/// Index files of opened traces, in a folder that only the user can read. Opening the same trace files again uses the
/// same index. A file is
/// written under another name and then renamed. Damaged or incomplete indexes, and those of changed files or another
/// program version, are ignored. Several instances of Highwater may use the folder at once. Any thread.
class TraceIndexCache {
  public:
    struct Options {
        std::filesystem::path folder;
        /// Limit for all index files. The least recently used ones are removed. An index of more than half of the limit
        /// is not written.
        std::uint64_t limitBytes = kUsualLimit;
        std::uint64_t leastTraceBytes = kUsualLeastTrace; ///< smaller traces do not get an index because they open fast
        bool writes = true;                               ///< false: only existing indexes are used
    };
    static constexpr std::uint64_t kUsualLimit = std::uint64_t{4} << 30;
    static constexpr std::uint64_t kUsualLeastTrace = std::uint64_t{64} << 20;

    explicit TraceIndexCache(Options options) : options_(std::move(options)) {}

    /// Key of a trace's current files; ask before they are read. Empty if they have no index and will not get one.
    [[nodiscard]] std::string keyOf(const std::vector<std::filesystem::path>& paths) const;
    /// Nothing if there is no usable index.
    [[nodiscard]] std::optional<IndexedTrace> find(const std::string& key,
                                                   const std::vector<std::filesystem::path>& paths) const;
    /// Writes an index if one is needed. Takes some time, at the caller's priority. The trace's columns must no longer
    /// be written. `key`: from before the files were read. Nothing is written if they have changed since.
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
