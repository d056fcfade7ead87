#pragma once

#include "core/base/result.h"
#include "core/etl/raw_record.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::pipeline {

/// Which processes a crop keeps, by their pids. Immutable.
class CropProcesses {
  public:
    /// All of them.
    CropProcesses() = default;
    explicit CropProcesses(std::vector<std::uint32_t> pids);

    [[nodiscard]] bool areAll() const { return !pids_; }
    [[nodiscard]] bool contains(std::uint32_t pid) const;
    /// Sorted, each once; empty where all are kept.
    [[nodiscard]] std::vector<std::uint32_t> pids() const { return pids_.value_or(std::vector<std::uint32_t>{}); }

  private:
    std::optional<std::vector<std::uint32_t>> pids_;
};

/// Reads the traces for the processes that are called so: each word is a pid, or a name of its file, in either case of
/// letters ("app.exe"). No words: all processes. Errors: those of reading; a word that no process of the trace is
/// called, with those that there are.
[[nodiscard]] Result<CropProcesses> findProcesses(const std::vector<std::filesystem::path>& traces,
                                                  const std::vector<std::string>& words, std::stop_token stop);

/// Whose record it is: what its payload says, and else its header. Nothing: nobody's, or it does not say.
[[nodiscard]] std::optional<std::uint32_t> processOf(const etl::RawRecord& record);

} // namespace highwater::pipeline
