#pragma once

#include "core/base/result.h"
#include "core/files/mapped_file.h"
#include "core/pipeline/core_files/core_contents.h"
#include "core/source/contract/process_copy.h"

#include <filesystem>
#include <memory>
#include <stop_token>

namespace highwater::pipeline {

/// The memory of a 64-bit x86 Linux process in a core file, which the system wrote when it ended, or gcore while it
/// ran. The file is mapped, and its memory is read when it is needed. Unlike in a copy of a running process, memory may
/// be missing: the system leaves out some kinds of mappings (/proc/PID/coredump_filter) and memory that the program
/// excludes (MADV_DONTDUMP). The pages that were ever touched are known of sparse files. Immutable; any thread.
class CoreFile final : public source::ProcessCopy {
  public:
    /// Errors: those of openCoreBytes() and readCore().
    [[nodiscard]] static Result<std::unique_ptr<CoreFile>> open(const std::filesystem::path& path,
                                                                const std::stop_token& stop = {});
    /// `name`: in errors. `data`: dataIn() of the file; empty: unknown.
    [[nodiscard]] static Result<std::unique_ptr<CoreFile>> of(std::shared_ptr<const MappedFile> file,
                                                              std::string_view name, std::vector<FileRange> data = {});

    /// Nothing: a core file has no time.
    [[nodiscard]] std::optional<std::int64_t> ticks() const override { return std::nullopt; }
    [[nodiscard]] const ResidentSample& mappings() const override { return mappings_; }
    [[nodiscard]] const std::vector<CopiedThread>& threads() const override { return contents_.notes.threads; }
    [[nodiscard]] std::uint32_t unreadThreads() const override { return 0; }
    [[nodiscard]] std::size_t read(Address from, std::span<std::byte> to) const override;

    /// By address.
    [[nodiscard]] const std::vector<CoreMappedFile>& files() const { return contents_.notes.files; }
    [[nodiscard]] std::uint32_t pid() const { return contents_.notes.pid; }
    /// Up to 15 characters; "": unknown.
    [[nodiscard]] const std::string& program() const { return contents_.notes.program; }
    /// Private and shared memory that is not in the file, and is not writable in mappings().
    [[nodiscard]] ByteCount missing() const { return missing_; }
    /// Memory and notes that are missing because the file ends early.
    [[nodiscard]] ByteCount cutOff() const { return contents_.cutOff; }
    /// Mappings that the file describes in a way that cannot be right, and that are left out.
    [[nodiscard]] std::uint64_t invalidMappings() const { return contents_.invalid; }

  private:
    CoreFile(std::shared_ptr<const MappedFile> file, CoreContents contents)
        : file_(std::move(file)), contents_(std::move(contents)) {}

    std::shared_ptr<const MappedFile> file_;
    CoreContents contents_;
    ResidentSample mappings_;
    ByteCount missing_ = 0;
};

} // namespace highwater::pipeline
