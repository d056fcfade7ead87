#pragma once

#include "core/base/result.h"
#include "core/files/output_file.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace highwater {

/// A file that will be moved to a place, replacing an existing file, when it is complete. Until then it has no name, if
/// the system supports that (Linux, on nearly all file systems). Otherwise it is beside the place and is deleted with
/// this object; if the program is killed, it stays there. Any thread.
class PendingFile {
  public:
    /// "a.etl.partial" for the suffix ".partial", or a name as for createBeside(). Errors are those of createBeside().
    static Result<PendingFile> beside(const std::filesystem::path& place, const std::string& ending,
                                      OutputFile::Readers readers = OutputFile::Readers::Owner);
    ~PendingFile();
    PendingFile(PendingFile&& other) noexcept;
    PendingFile& operator=(PendingFile&&) = delete;
    PendingFile(const PendingFile&) = delete;

    /// For writing, once; null afterwards.
    [[nodiscard]] std::unique_ptr<OutputFile> takeFile() { return std::move(file_); }
    /// Call after the file is written and closed. On failure the existing file stays. Errors contain the reason without
    /// the place.
    [[nodiscard]] Result<void> takePlace();

  private:
    PendingFile(std::filesystem::path place, std::string ending)
        : place_(std::move(place)), ending_(std::move(ending)) {}
    [[nodiscard]] Result<void> giveName();

    std::filesystem::path place_;
    std::string ending_;
    std::unique_ptr<OutputFile> file_;
    std::function<Result<void>(const std::filesystem::path&)> giveName_; ///< null if it has a name
    std::filesystem::path path_;                                         ///< its current path; empty if it has no name
                                                                         ///< or was moved to its place
};

} // namespace highwater
