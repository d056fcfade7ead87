#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace highwater {

/// Memory that lies in a file without a name (on Windows one that nobody can guess), in the folder for large temporary
/// files (ScratchFile::folder), and is gone with the program, also when that is killed. The system writes to the disk
/// what it has no room for. Chunks of kHugePageBytes, which can be written as any memory can: the disk's room for them
/// is taken before they are handed out. Any thread, but one at a time.
class ScratchChunks {
  public:
    /// Error: the folder cannot be written, or lies in memory itself.
    [[nodiscard]] static Result<std::unique_ptr<ScratchChunks>> create();

    virtual ~ScratchChunks() = default;
    ScratchChunks(const ScratchChunks&) = delete;
    ScratchChunks& operator=(const ScratchChunks&) = delete;

    /// The chunk of this number, zeroed. Error: the disk is full, or would be nearly.
    [[nodiscard]] virtual Result<std::byte*> map(std::uint32_t number) = 0;
    /// Gives back what map() returned, and its room; the number may be mapped again.
    virtual void unmap(std::byte* chunk, std::uint32_t number) noexcept = 0;
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  protected:
    explicit ScratchChunks(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// What is left on the disk for others.
    static constexpr std::uint64_t kLeaveBytes = std::uint64_t{256} << 20;

  private:
    std::filesystem::path folder_;
};

} // namespace highwater
