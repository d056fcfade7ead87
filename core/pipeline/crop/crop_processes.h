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

/// The pids of the processes that a crop keeps. Immutable.
class CropProcesses {
  public:
    /// All processes.
    CropProcesses() = default;
    explicit CropProcesses(std::vector<std::uint32_t> pids);

    [[nodiscard]] bool areAll() const { return !pids_; }
    [[nodiscard]] bool contains(std::uint32_t pid) const;
    /// Sorted, without duplicates; empty if all are kept.
    [[nodiscard]] std::vector<std::uint32_t> pids() const { return pids_.value_or(std::vector<std::uint32_t>{}); }

  private:
    std::optional<std::vector<std::uint32_t>> pids_;
};

/// Reads the traces for the processes with these names. Each word is a pid or a file name, case-insensitive
/// ("app.exe"). No words: all processes. Errors: those of reading; a word without a matching process, with the list of
/// existing ones.
[[nodiscard]] Result<CropProcesses> findProcesses(const std::vector<std::filesystem::path>& traces,
                                                  const std::vector<std::string>& words, std::stop_token stop);

/// The process of a record, from its payload or otherwise its header. Nothing if it has none or does not contain it.
[[nodiscard]] std::optional<std::uint32_t> processOf(const etl::RawRecord& record);

} // namespace highwater::pipeline
