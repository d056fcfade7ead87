#include "core/files/column_memory.h"

#include "core/base/text.h"
#include "core/files/file_limits.h"
#include "core/files/scratch_chunks.h"

#include <atomic>
#include <fmt/format.h>
#include <mutex>
#include <vector>

namespace highwater {
namespace {

/// For four million rows at four bytes each. Writing to them takes some milliseconds more.
constexpr std::uint64_t kChunksOfUsualPages = 8;
constexpr ByteCount kWithoutAnswer = ByteCount{4} << 30; ///< for a system that does not report its memory size

ByteCount usualBudget() { return machineMemoryBytes().value_or(kWithoutAnswer) / 2; }

/// The file and its free chunks.
class ChunksOnDisk {
  public:
    ColumnChunk take() {
        const std::lock_guard lock(mutex_);
        if (!chunks_) {
            auto created = ScratchChunks::create();
            if (!created.hasValue()) return refuse(created.error());
            chunks_ = std::move(created).value();
        }
        if (free_.empty()) {
            free_.reserve(std::size_t{next_} + 1); // giveBack() must not allocate memory
            free_.push_back(next_++);
        }
        auto mapped = chunks_->map(free_.back());
        if (!mapped.hasValue()) return refuse(mapped.error());
        ColumnChunk chunk(mapped.value(), ColumnChunkDeleter{free_.back()});
        free_.pop_back();
        ++used_;
        refusal_.clear();
        return chunk;
    }
    void giveBack(std::byte* chunk, std::uint32_t number) noexcept {
        const std::lock_guard lock(mutex_);
        chunks_->unmap(chunk, number);
        --used_;
        if (used_ > 0) {
            free_.push_back(number); // there is room because it contained the number before
            return;
        }
        chunks_.reset(); // frees the disk space
        free_.clear();
        next_ = 0;
        refusal_.clear();
    }
    void describeTo(ColumnMemory& memory) const {
        const std::lock_guard lock(mutex_);
        memory.fileBytes = used_ * ByteCount{kHugePageBytes};
        if (chunks_) memory.folder = chunks_->folder();
        memory.refusal = refusal_;
    }

  private:
    ColumnChunk refuse(const Error& why) {
        refusal_ = why.message;
        return nullptr;
    }

    mutable std::mutex mutex_;
    std::unique_ptr<ScratchChunks> chunks_;
    std::vector<std::uint32_t> free_;
    std::uint32_t next_ = 0;
    std::uint64_t used_ = 0;
    std::string refusal_;
};

class ColumnBudget {
  public:
    void set(ByteCount bytes) { budget_ = bytes == 0 ? usualBudget() : bytes; }
    ColumnChunk take(std::uint64_t number) {
        const bool isFirst = number == 0;
        const auto pages = number < kChunksOfUsualPages ? PageSize::Normal : PageSize::Huge;
        const auto after = anonymous_.fetch_add(kHugePageBytes, std::memory_order_relaxed) + kHugePageBytes;
        if (isFirst || after <= budget_.load(std::memory_order_relaxed)) {
            if (auto chunk = takeAnonymous(pages)) return chunk;
        }
        anonymous_.fetch_sub(kHugePageBytes, std::memory_order_relaxed);
        if (auto chunk = onDisk_.take()) return chunk;
        anonymous_.fetch_add(kHugePageBytes, std::memory_order_relaxed);
        if (auto chunk = takeAnonymous(pages)) return chunk;
        anonymous_.fetch_sub(kHugePageBytes, std::memory_order_relaxed);
        return nullptr;
    }
    void giveBack(std::byte* chunk, std::uint32_t place) noexcept {
        if (place != ColumnChunkDeleter::kAnonymous) return onDisk_.giveBack(chunk, place);
        ChunkDeleter{}(chunk);
        anonymous_.fetch_sub(kHugePageBytes, std::memory_order_relaxed);
    }
    [[nodiscard]] ColumnMemory now() const {
        ColumnMemory memory;
        memory.budget = budget_;
        memory.anonymousBytes = anonymous_;
        onDisk_.describeTo(memory);
        return memory;
    }

  private:
    static ColumnChunk takeAnonymous(PageSize pages) { return ColumnChunk(allocateChunk(pages).release()); }

    std::atomic<ByteCount> budget_{usualBudget()};
    std::atomic<ByteCount> anonymous_{0};
    ChunksOnDisk onDisk_;
};

/// Outlives all columns, including those of static objects.
ColumnBudget& columnBudget() {
    static auto& budget = *new ColumnBudget;
    return budget;
}

} // namespace

void ColumnChunkDeleter::operator()(std::byte* chunk) const noexcept { columnBudget().giveBack(chunk, place); }

ColumnChunk allocateColumnChunk(std::uint64_t number) { return columnBudget().take(number); }

void setColumnMemoryBudget(ByteCount bytes) { columnBudget().set(bytes); }

ColumnMemory columnMemory() { return columnBudget().now(); }

namespace {

/// The reason for using the file: below the budget, a limit of the process prevented anonymous memory.
std::string reasonForFile(const ColumnMemory& memory) {
    const auto limit = addressLimit();
    if (limit && memory.anonymousBytes + kHugePageBytes <= memory.budget)
        return fmt::format("the system refused more memory to this program, which may map {} (ulimit -v)",
                           bytesText(*limit));
    return fmt::format("the {} of memory allowed for rows are used up", bytesText(memory.budget));
}

} // namespace

std::string describe(const ColumnMemory& memory) {
    std::string text;
    if (memory.fileBytes > 0)
        text =
            fmt::format("{} of the rows of open traces are in a temporary file in {} because {}. Operations that must "
                        "read them from the disk take longer. Close other traces or allow more memory.",
                        bytesText(memory.fileBytes), utf8(memory.folder), reasonForFile(memory));
    if (!memory.refusal.empty() && memory.anonymousBytes > memory.budget) {
        text += text.empty() ? "" : " ";
        text += fmt::format(
            "The rows of open traces take {} of memory, more than the {} allowed, because no temporary file "
            "can hold more of them: {}. Free space there or choose another folder for temporary "
            "files.",
            bytesText(memory.anonymousBytes), bytesText(memory.budget), memory.refusal);
    }
    return text;
}

} // namespace highwater
