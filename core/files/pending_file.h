#pragma once

#include "core/base/result.h"
#include "core/files/output_file.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace highwater {

/// A file that is to take a place, and that of what is there, when it is whole. Until then it has no name, where the
/// system knows such files (Linux, on nearly all file systems); elsewhere it lies beside the place, and goes with this
/// object: of a program that is killed it stays there. Any thread.
class PendingFile {
  public:
    /// "a.etl.partial" for the ending ".partial", or as createBeside() calls it. Errors are those of createBeside().
    static Result<PendingFile> beside(const std::filesystem::path& place, const std::string& ending,
                                      OutputFile::Readers readers = OutputFile::Readers::Owner);
    ~PendingFile();
    PendingFile(PendingFile&& other) noexcept;
    PendingFile& operator=(PendingFile&&) = delete;
    PendingFile(const PendingFile&) = delete;

    /// To be written, once; null afterwards.
    [[nodiscard]] std::unique_ptr<OutputFile> takeFile() { return std::move(file_); }
    /// Once it is written and closed. What is there stays when this fails. Errors without the place: why not.
    [[nodiscard]] Result<void> takePlace();

  private:
    PendingFile(std::filesystem::path place, std::string ending)
        : place_(std::move(place)), ending_(std::move(ending)) {}
    [[nodiscard]] Result<void> giveName();

    std::filesystem::path place_;
    std::string ending_;
    std::unique_ptr<OutputFile> file_;
    std::function<Result<void>(const std::filesystem::path&)> giveName_; ///< null: it has one
    std::filesystem::path path_;                                         ///< its name; empty: none, or its place
};

} // namespace highwater
