#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace highwater {

/// Memory in a file without a name (on Windows with an unpredictable one) in the folder for large temporary files
/// (ScratchFile::folder). The file disappears with the program, even if that is killed. The system writes parts
/// that do not fit into memory to the disk. Chunks of kHugePageBytes can be written like any memory, because their disk
/// space is allocated before they are returned. Any thread, but one at a time.
class ScratchChunks {
  public:
    /// Error: the folder cannot be written, or is itself in memory.
    [[nodiscard]] static Result<std::unique_ptr<ScratchChunks>> create();

    virtual ~ScratchChunks() = default;
    ScratchChunks(const ScratchChunks&) = delete;
    ScratchChunks& operator=(const ScratchChunks&) = delete;

    /// The chunk with this number, zeroed. Error: the disk is full or nearly full.
    [[nodiscard]] virtual Result<std::byte*> map(std::uint32_t number) = 0;
    /// Releases a chunk of map() and its disk space; the number may be mapped again.
    virtual void unmap(std::byte* chunk, std::uint32_t number) noexcept = 0;
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  protected:
    explicit ScratchChunks(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Space left on the disk for other uses.
    static constexpr std::uint64_t kLeaveBytes = std::uint64_t{256} << 20;

  private:
    std::filesystem::path folder_;
};

} // namespace highwater
