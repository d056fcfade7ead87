#include "core/source/profiles/heaptrack_source.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/event/opcodes.h"
#include "core/source/profiles/heaptrack_tables.h"
#include "core/source/profiles/hex_fields.h"
#include "core/source/profiles/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

namespace highwater::source {
namespace {

constexpr std::size_t kRecordsOfBatch = 256;
constexpr std::uint32_t kNewestFormat = 3;
constexpr std::uint32_t kFirstRelease = 0x010200; ///< its files contain this version instead of format 1
constexpr Address kHeapHandle = 1;                ///< the only heap
constexpr ByteCount kBlockRaster = 16;            ///< distance of the made-up addresses of blocks
constexpr std::uint32_t kNoPid = 1;
constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::uint32_t kLinesUntilLook = 1 << 14;
constexpr std::uint64_t kMostDamaged = 50'000'000;
constexpr std::int64_t kMostMs = std::int64_t{1} << 42; ///< 139 years: later stamps are damaged

/// Data from the first lines of a file.
struct HeaptrackStart {
    std::uint32_t format = 0;
    bool isInterpreted = true;
};

std::optional<HeaptrackStart> readStart(std::string_view start) {
    if (!start.starts_with("v ")) return std::nullopt;
    HexFields fields(trimmed(start.substr(2, start.find('\n') - 2)));
    const auto version = fields.next();
    if (!version) return std::nullopt;
    const auto format = fields.next();
    HeaptrackStart found;
    found.format = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        format.value_or(*version == kFirstRelease ? 1 : 0), std::numeric_limits<std::uint32_t>::max()));
    const auto second = start.find('\n');
    found.isInterpreted = second == std::string_view::npos || !start.substr(second + 1).starts_with("x ");
    return found;
}

/// "heaptrack.app.1234.zst", the default file name of heaptrack.
std::uint32_t pidOfName(std::string_view path) {
    auto name = fileName(path);
    if (!name.starts_with("heaptrack.")) return kNoPid;
    for (const auto* suffix : {".zst", ".gz"})
        if (name.ends_with(suffix)) name = name.substr(0, name.rfind('.'));
    const auto digits = name.substr(name.rfind('.') + 1);
    std::uint32_t pid = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
    return error == std::errc() && end == digits.data() + digits.size() && pid != 0 ? pid : kNoPid;
}

struct HeaptrackFile {
    std::uint32_t format = 0, pid = 0;
    std::uint64_t bytes = 0; ///< packed
};

/// Limits for reading, because a small packed file may unpack to any size. Recordings of repetitive programs compress
/// well, so each limit has a minimum, and increases with the size of the file.
struct HeaptrackLimits {
    explicit HeaptrackLimits(std::uint64_t fileBytes)
        : lines((std::uint64_t{20} << 20) + fileBytes),
          bytes((std::uint64_t{512} << 20) + 32 * fileBytes),
          frames((std::uint64_t{16} << 20) + 4 * fileBytes),
          blocks((std::uint64_t{16} << 20) + fileBytes / 4) {}
    std::uint64_t lines;
    std::uint64_t bytes;  ///< size of the lines
    std::uint64_t frames; ///< frames of all stacks together
    std::uint64_t blocks; ///< blocks in use at one time
};

/// One pass over the lines of a file. Indices in the file start at 1, with 0 for none; those of allocations start at 0.
class HeaptrackReader {
  public:
    HeaptrackReader(PackedStream& stream, const HeaptrackFile& file, etl::RecordSink& sink)
        : stream_(stream),
          limits_(file.bytes),
          lines_(stream),
          pid_(file.pid),
          sink_(sink),
          records_(file.pid, names_),
          tables_(file.format, limits_.frames, names_, records_) {
        records_.addNote(0, Severity::Note,
                         "Heaptrack's clock ticks every 10 ms. Events between two ticks have the time of the first; "
                         "their order is correct.");
        records_.addNote(0, Severity::Note,
                         "Heaptrack does not distinguish blocks with the same size and stack, so the newest of them "
                         "counts as freed first. Its file does not contain block addresses, threads or stacks of "
                         "frees.");
        moveOthers();
    }

    Result<void> read(const std::stop_token& stop, Progress& progress) {
        std::uint32_t sinceLook = 0; // a file may contain any number of lines without records
        while (const auto line = lines_.next()) {
            linesRead_ += 1;
            bytesRead_ += line->size();
            isTooLong_ =
                linesRead_ > limits_.lines || bytesRead_ > limits_.bytes || olderBlock_.size() > limits_.blocks;
            if (isTooLong_) break;
            take(*line);
            const bool isFull = batch_.records.size() >= kRecordsOfBatch || records_.isFull();
            if (!isFull && ++sinceLook < kLinesUntilLook) continue;
            sinceLook = 0;
            if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "Reading was cancelled."};
            if (const auto refused = tooMuch()) return *refused;
            if (isFull) deliver();
            progress.done.store(stream_.bytesUsed(), std::memory_order_relaxed);
        }
        nameProcess("(unknown)");
        batch_.reachedTicks = std::max(ticks_, stamp_);
        deliver();
        return {};
    }
    [[nodiscard]] std::uint64_t damagedLines() const { return damaged_ + tables_.damaged(); }
    [[nodiscard]] bool isCut() const { return lines_.isLastCut(); }
    [[nodiscard]] std::uint64_t linesRead() const { return linesRead_; }
    /// The file exceeds the limits for its size.
    [[nodiscard]] bool isTooLong() const { return isTooLong_; }
    /// Number of allocations without a stack because the frames of all stacks exceed the limit for the file's size.
    [[nodiscard]] std::uint64_t stacksLeftOut() const { return tables_.stacksLeftOut(); }

  private:
    /// Payloads in the layout of docs/etl-format.md 5.3.
    struct AllocFields {
        Address heap = kHeapHandle;
        ByteCount size = 0;
        Address address = 0;
        std::uint64_t source = 0;
    };
    static constexpr std::uint32_t kAllocBytes = 28, kFreeBytes = 20;
    using Payloads = std::array<AllocFields, kRecordsOfBatch + 1>;
    /// The last reader of a batch returns its payloads to this pool, on any thread.
    struct PayloadPool {
        std::mutex mutex;
        std::vector<std::unique_ptr<Payloads>> unused;
    };

    void take(std::string_view line) {
        if (line.size() < 2) return; // empty
        if (line[0] == 's') return tables_.defineString(line, lines_);
        line = withoutReturn(line);
        const auto rest = line.substr(2);
        switch (line[0]) {
        case '+':
            return allocate(rest);
        case '-':
            return release(rest);
        case 'c':
            return setTime(rest);
        case 'a':
            return tables_.defineAllocation(rest, ticks_);
        case 't':
            return tables_.defineNode(rest);
        case 'i':
            return tables_.defineFrame(rest, ticks_);
        case 'X':
            return nameProcess(rest);
        case 'A':
            return noteAttached();
        case '#': // a comment
        case 'v': // read before
        case 'I':
        case 'R':
        case 'S':
        case 'd': // system information, memory in use, suppressions, notes of the debuggee
            return;
        default:
            ++damaged_;
        }
    }

    /// Limits the data that a file can make the reader keep.
    [[nodiscard]] std::optional<Error> tooMuch() const {
        if (!tables_.isTooMuch() && damagedLines() <= kMostDamaged) return std::nullopt;
        return Error{ErrorKind::Unsupported,
                     "The file unpacks to more names, stacks or damaged lines than Highwater reads."};
    }

    // ---- events ----

    void allocate(std::string_view rest) {
        const auto index = HexFields(rest).next();
        auto* const known = index ? tables_.allocation(*index) : nullptr;
        if (known == nullptr) return void(++damaged_);
        auto& allocation = *known;
        std::uint32_t block = freeBlock_;
        if (block != 0) {
            freeBlock_ = olderBlock_[block];
        } else {
            if (olderBlock_.size() >= std::numeric_limits<std::uint32_t>::max()) return void(++damaged_);
            block = static_cast<std::uint32_t>(olderBlock_.size());
            olderBlock_.push_back(0);
        }
        olderBlock_[block] = allocation.newestBlock;
        allocation.newestBlock = block;
        auto& record = add(heap_opcode::kAlloc, kAllocBytes, {kHeapHandle, allocation.size, block * kBlockRaster, 0});
        if (allocation.key == nullptr) return;
        record.extended = reinterpret_cast<const std::byte*>(allocation.key);
        record.extendedBytes = sizeof(StackKeyItem);
    }

    void release(std::string_view rest) {
        const auto index = HexFields(rest).next();
        auto* const allocation = index ? tables_.allocation(*index) : nullptr;
        if (allocation == nullptr) return void(++damaged_);
        auto& newest = allocation->newestBlock;
        if (newest == 0) return void(++damaged_);
        const auto block = newest;
        newest = olderBlock_[block];
        olderBlock_[block] = freeBlock_;
        freeBlock_ = block;
        add(heap_opcode::kFree, kFreeBytes, {kHeapHandle, block * kBlockRaster, 0, 0});
    }

    etl::RawRecord& add(std::uint8_t opcode, std::uint32_t bytes, const AllocFields& fields) {
        if (payloads_ == nullptr) payloads_ = unusedPayloads();
        auto& payload = (*payloads_)[usedPayloads_++];
        payload = fields;
        ticks_ = std::max(ticks_ + 1, stamp_);
        auto& record = batch_.records.emplace_back();
        record.ticks = ticks_;
        record.pid = pid_;
        record.group = group::kHeap;
        record.opcode = opcode;
        record.version = kVersion2;
        record.header = etl::HeaderType::Compact64;
        record.payload = reinterpret_cast<const std::byte*>(&payload);
        record.payloadBytes = bytes;
        return record;
    }

    void setTime(std::string_view rest) {
        const auto ms = HexFields(rest).next();
        if (!ms || *ms > static_cast<std::uint64_t>(kMostMs)) return void(++damaged_);
        stamp_ = std::max(stamp_, static_cast<std::int64_t>(*ms) * kNsPerMs);
    }

    void nameProcess(std::string_view commandLine) {
        if (std::exchange(isNamed_, true)) return;
        records_.addProcess(ticks_, commandLine);
    }

    void noteAttached() {
        records_.addNote(ticks_, Severity::Note,
                         "Heaptrack was attached to the running program, so earlier allocations are not in the file.");
    }

    // ---- batches ----

    void moveOthers() {
        if (!records_.isEmpty()) records_.moveTo(batch_);
    }

    /// Reuses the payloads of a batch that is no longer read, because allocating memory for every batch would take as
    /// long as reading.
    std::shared_ptr<Payloads> unusedPayloads() {
        std::unique_ptr<Payloads> payloads;
        {
            const std::lock_guard lock(pool_->mutex);
            if (!pool_->unused.empty()) {
                payloads = std::move(pool_->unused.back());
                pool_->unused.pop_back();
            }
        }
        if (payloads == nullptr) payloads = std::make_unique<Payloads>();
        return {payloads.release(), [pool = pool_](Payloads* read) {
                    std::unique_ptr<Payloads> back(read);
                    const std::lock_guard lock(pool->mutex);
                    pool->unused.push_back(std::move(back));
                }};
    }

    void deliver() {
        moveOthers();
        if (payloads_ != nullptr) batch_.memory.push_back(std::move(payloads_));
        batch_.memory.push_back(tables_.keys());
        batch_.bytesRead = stream_.bytesUsed();
        sink_.onBatch(batch_);
        batch_.recycle();
        payloads_ = nullptr;
        usedPayloads_ = 0;
    }

    PackedStream& stream_;
    HeaptrackLimits limits_;
    LineReader lines_;
    std::uint32_t pid_;
    etl::RecordSink& sink_;
    NamePool names_;
    ProfileRecords records_; ///< needs names_
    HeaptrackTables tables_; ///< needs both
    std::vector<std::uint32_t> olderBlock_ = std::vector<std::uint32_t>(1);
    std::uint32_t freeBlock_ = 0; ///< head of a free list in olderBlock_
    etl::RecordBatch batch_;
    std::shared_ptr<Payloads> payloads_; ///< payloads of the batch
    std::shared_ptr<PayloadPool> pool_ = std::make_shared<PayloadPool>();
    std::size_t usedPayloads_ = 0;
    std::int64_t ticks_ = 0;
    std::int64_t stamp_ = 0;
    std::uint64_t damaged_ = 0;
    std::uint64_t linesRead_ = 0, bytesRead_ = 0;
    bool isTooLong_ = false;
    bool isNamed_ = false;
};

} // namespace

bool HeaptrackSource::isOne(std::string_view start) { return readStart(start).has_value(); }

Result<std::unique_ptr<HeaptrackSource>> HeaptrackSource::open(etl::FileImage file, std::string_view start) {
    const auto found = readStart(start);
    if (!found) return Error{ErrorKind::NotATrace, fmt::format("{} is not a heaptrack file.", file.name)};
    if (found->format > kNewestFormat) {
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} was written by a newer heaptrack (format {}): Highwater reads formats 1 to {}.",
                                 file.name, found->format, kNewestFormat)};
    }
    if (!found->isInterpreted) {
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} is raw heaptrack output without names. Interpret it first: zstd -dc < FILE | "
                                 "/usr/lib/heaptrack/libexec/heaptrack_interpret > NEW",
                                 file.name)};
    }
    if (found->format == 0) {
        return Error{
            ErrorKind::Unsupported,
            fmt::format("{} was written by a version of heaptrack before 1.0: Highwater reads formats 1 to {}.",
                        file.name, kNewestFormat)};
    }
    return std::unique_ptr<HeaptrackSource>(new HeaptrackSource(std::move(file), found->format));
}

HeaptrackSource::HeaptrackSource(etl::FileImage file, std::uint32_t format) : file_(std::move(file)), format_(format) {
    properties_.paths = {file_.name};
    properties_.fileBytes = file_.bytes.size();
    properties_.pointerBytes = 8;
    properties_.ticksPerSecond = 1'000'000'000;
    properties_.sessionName = "heaptrack";
    properties_.lacks = {.addresses = true, .threads = true, .pages = true};
}

Result<void> HeaptrackSource::run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop,
                                  Progress& progress) {
    auto stream = TRY(PackedStream::open(file_.bytes, file_.name));
    progress.total = file_.bytes.size();
    HeaptrackReader reader(*stream, {format_, pidOfName(file_.name), file_.bytes.size()}, sink);
    TRY(reader.read(stop, progress));
    progress.done = file_.bytes.size();
    if (reader.damagedLines() > 0) {
        health.remark(skippedText(reader.damagedLines(), "damaged line", file_.name));
    }
    if (reader.isTooLong()) {
        health.remark(fmt::format("{} has more lines, or more blocks at one time, than Highwater reads from a file of "
                                  "its size. Everything after line {} is missing.",
                                  file_.name, thousands(reader.linesRead() - 1)));
    }
    if (reader.stacksLeftOut() > 0) {
        health.remark(fmt::format("{} has more frames in its stacks than Highwater reads from a file of its size, so "
                                  "{} {} no stack.",
                                  file_.name, counted(reader.stacksLeftOut(), "allocation"),
                                  byNumber(reader.stacksLeftOut(), "has", "have")));
    }
    if (reader.isCut() && !stream->isBroken())
        health.remark(fmt::format("{} is cut off; the rest is missing.", file_.name));
    if (stream->isBroken()) health.remark(fmt::format("{} is cut off or damaged; the rest is missing.", file_.name));
    if (file_.file != nullptr && file_.file->hasLostBytes())
        health.remark(fmt::format("{} was cut off while it was being read, or its disk failed: part of it is missing.",
                                  file_.name));
    return {};
}

} // namespace highwater::source
