#include "core/source/profiles/heaptrack_source.h"

#include "core/base/text.h"
#include "core/event/opcodes.h"
#include "core/source/profiles/hex_fields.h"
#include "core/source/profiles/line_reader.h"
#include "core/source/profiles/profile_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

namespace highwater::source {
namespace {

constexpr std::size_t kRecordsOfBatch = 256;
constexpr std::size_t kMostFrames = 4096; ///< of a stack; the innermost ones
constexpr std::uint32_t kNewestFormat = 3;
constexpr std::uint32_t kFirstRelease = 0x010200; ///< said its own version in place of that of format 1
constexpr Address kHeapHandle = 1;                ///< the only one
constexpr ByteCount kBlockRaster = 16;            ///< blocks have addresses that are made up
constexpr std::uint32_t kNoPid = 1;
constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::uint32_t kLinesUntilLook = 1 << 14;
constexpr std::size_t kMostEntries = std::size_t{1} << 26;
constexpr std::size_t kMostNameBytes = std::size_t{256} << 20;
constexpr std::uint64_t kMostDamaged = 50'000'000;
constexpr std::int64_t kMostMs = std::int64_t{1} << 42; ///< 139 years: later stamps are damaged

/// The first lines of a file.
struct HeaptrackStart {
    std::uint32_t format = 0;
    bool isInterpreted = true;
};

std::optional<HeaptrackStart> readStart(std::string_view start) {
    if (!start.starts_with("v ")) return std::nullopt;
    HexFields fields(start.substr(2, start.find('\n') - 2));
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

/// "heaptrack.app.1234.zst", as heaptrack itself names its files.
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

/// One pass over the lines of a file. Indices of the file count from 1, 0 is none; those of allocations from 0.
class HeaptrackReader {
  public:
    HeaptrackReader(PackedStream& stream, std::uint32_t format, std::uint32_t pid, etl::RecordSink& sink)
        : stream_(stream),
          lines_(stream),
          format_(format),
          pid_(pid),
          sink_(sink),
          records_(pid, names_),
          strings_(1),
          frames_(1),
          nodes_(1) {
        records_.addNote(0, Severity::Note,
                         "Heaptrack's clock ticks every 10 ms: what happened between two ticks has the time of the "
                         "first. Its order is right.");
        records_.addNote(0, Severity::Note,
                         "Heaptrack does not tell blocks of one size and one stack apart: the newest of them counts as "
                         "freed first. Addresses of blocks, threads and stacks of frees are not in its file.");
        moveOthers();
    }

    Result<void> read(const std::stop_token& stop, Progress& progress) {
        std::uint32_t sinceLook = 0; // a file may have any number of lines that make no record
        while (const auto line = lines_.next()) {
            take(*line);
            const bool isFull = batch_.records.size() >= kRecordsOfBatch || records_.isFull();
            if (!isFull && ++sinceLook < kLinesUntilLook) continue;
            sinceLook = 0;
            if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "Reading was stopped."};
            if (const auto refused = tooMuch()) return *refused;
            if (isFull) deliver();
            progress.done.store(stream_.bytesUsed(), std::memory_order_relaxed);
        }
        nameProcess("(unknown)");
        batch_.reachedTicks = std::max(ticks_, stamp_);
        deliver();
        return {};
    }
    [[nodiscard]] std::uint64_t damagedLines() const { return damaged_; }
    [[nodiscard]] bool isCut() const { return lines_.isLastCut(); }

  private:
    struct Node {
        std::uint32_t frame = 0;
        std::uint32_t parent = 0;
        const StackKeyItem* key = nullptr; ///< null: not told yet
    };
    struct Allocation {
        ByteCount size = 0;
        const StackKeyItem* key = nullptr; ///< null: no stack
        std::uint32_t newestBlock = 0;     ///< from 1; the next older one is in olderBlock_
    };
    /// Payloads, as docs/etl-format.md 5.3 has them.
    struct AllocFields {
        Address heap = kHeapHandle;
        ByteCount size = 0;
        Address address = 0;
        std::uint64_t source = 0;
    };
    static constexpr std::uint32_t kAllocBytes = 28, kFreeBytes = 20;
    using Payloads = std::array<AllocFields, kRecordsOfBatch + 1>;
    /// Whoever reads a batch last gives them back, on whatever thread.
    struct PayloadPool {
        std::mutex mutex;
        std::vector<std::unique_ptr<Payloads>> unused;
    };

    void take(std::string_view line) {
        if (line.size() < 2) return; // an empty one
        const auto rest = line.substr(2);
        switch (line[0]) {
        case '+':
            return allocate(rest);
        case '-':
            return release(rest);
        case 'c':
            return setTime(rest);
        case 'a':
            return defineAllocation(rest);
        case 't':
            return defineNode(rest);
        case 'i':
            return defineFrame(rest);
        case 's':
            return defineString(line, rest);
        case 'X':
            return nameProcess(rest);
        case 'A':
            return noteAttached();
        case '#': // a comment
        case 'v': // read before
        case 'I':
        case 'R':
        case 'S':
        case 'd': // the computer, memory in use, suppressions, the debuggee's own notes
            return;
        default:
            ++damaged_;
        }
    }

    /// A small packed file may unpack to any amount: what it makes us keep has an end.
    [[nodiscard]] std::optional<Error> tooMuch() const {
        const auto entries = std::max({strings_.size(), frames_.size(), nodes_.size(), allocations_.size()});
        if (entries <= kMostEntries && names_.bytes() <= kMostNameBytes && damaged_ <= kMostDamaged)
            return std::nullopt;
        return Error{ErrorKind::Damaged,
                     "The file unpacks to more names, stacks or damaged lines than any program has: it is damaged."};
    }

    // ---- events ----

    void allocate(std::string_view rest) {
        const auto index = HexFields(rest).next();
        if (!index || *index >= allocations_.size()) return void(++damaged_);
        auto& allocation = allocations_[static_cast<std::size_t>(*index)];
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
        if (!index || *index >= allocations_.size()) return void(++damaged_);
        auto& newest = allocations_[static_cast<std::size_t>(*index)].newestBlock;
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

    // ---- what events refer to ----

    void defineString(std::string_view line, std::string_view rest) {
        if (format_ < 3) return void(strings_.push_back(names_.idOf(rest)));
        HexFields fields(rest);
        const auto length = fields.next();
        const auto before = line.size() - fields.rest().size();
        if (!length || (*length > 0 && fields.rest().empty())) {
            ++damaged_;
            return void(strings_.push_back(0));
        }
        const auto wanted =
            before + 1 + static_cast<std::size_t>(std::min<std::uint64_t>(*length, LineReader::kLongest));
        if (line.size() < wanted) line = lines_.longer(line, wanted);
        if (line.size() < wanted) ++damaged_;
        strings_.push_back(names_.idOf(line.substr(std::min(before + 1, line.size()))));
    }

    [[nodiscard]] NameId nameOf(std::uint64_t index) {
        if (index < strings_.size()) return strings_[static_cast<std::size_t>(index)];
        ++damaged_;
        return 0;
    }

    /// Address, module, then functions: what was inlined first, last the one that holds the code.
    void defineFrame(std::string_view rest) {
        HexFields fields(rest);
        const auto address = fields.next();
        const auto module = fields.next();
        if (!address || !module) ++damaged_;
        functions_.clear();
        while (const auto function = fields.next()) {
            const auto file = fields.next(); // of functions without debug data there is only the name
            const auto line = fields.next().value_or(0);
            functions_.push_back(
                {nameOf(*function), nameOf(file.value_or(0)),
                 static_cast<std::uint32_t>(std::min<std::uint64_t>(line, std::numeric_limits<std::uint32_t>::max()))});
        }
        if (!trimmed(fields.rest()).empty()) ++damaged_;
        frames_.push_back(records_.addFrame(ticks_, nameOf(module.value_or(0)), address.value_or(0), functions_));
    }

    void defineNode(std::string_view rest) {
        HexFields fields(rest);
        const auto frame = fields.next();
        const auto parent = fields.next();
        Node node;
        if (frame && *frame < frames_.size()) node.frame = static_cast<std::uint32_t>(*frame);
        if (parent && *parent < nodes_.size()) node.parent = static_cast<std::uint32_t>(*parent);
        const bool isRight = frame && parent && *frame < frames_.size() && *parent < nodes_.size();
        damaged_ += isRight ? 0 : 1;
        nodes_.push_back(node);
    }

    void defineAllocation(std::string_view rest) {
        HexFields fields(rest);
        const auto size = fields.next();
        const auto node = fields.next();
        const bool isRight = size && node && *node < nodes_.size() && *size <= kMostBytes;
        damaged_ += isRight ? 0 : 1;
        allocations_.push_back({isRight ? *size : 0, isRight ? keyOf(static_cast<std::size_t>(*node)) : nullptr});
    }

    /// Tells the stack of a node when it is used first. Parents come before their children.
    const StackKeyItem* keyOf(std::size_t index) {
        if (index == 0) return nullptr;
        auto& node = nodes_[index];
        if (node.key != nullptr) return node.key;
        stack_.clear();
        for (auto at = index; at != 0 && stack_.size() < kMostFrames; at = nodes_[at].parent)
            if (nodes_[at].frame != 0) stack_.push_back(frames_[nodes_[at].frame]);
        if (stack_.empty()) return nullptr;
        auto& item = keys_->emplace_back();
        item.key = keys_->size();
        records_.addStack(ticks_, item.key, stack_);
        return node.key = &item;
    }

    void nameProcess(std::string_view commandLine) {
        if (std::exchange(isNamed_, true)) return;
        records_.addProcess(ticks_, commandLine);
    }

    void noteAttached() {
        records_.addNote(
            ticks_, Severity::Note,
            "Heaptrack was attached to the running program: what it had allocated before is not in the file.");
    }

    // ---- batches ----

    void moveOthers() {
        if (!records_.isEmpty()) records_.moveTo(batch_);
    }

    /// Those of a batch that nobody reads any more: memory that comes and goes with every batch costs as much as
    /// reading.
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
        batch_.memory.push_back(keys_);
        batch_.bytesRead = stream_.bytesUsed();
        sink_.onBatch(batch_);
        batch_.recycle();
        payloads_ = nullptr;
        usedPayloads_ = 0;
    }

    static constexpr ByteCount kMostBytes = ByteCount{1} << 43; ///< of a block, as records have it

    PackedStream& stream_;
    LineReader lines_;
    std::uint32_t format_;
    std::uint32_t pid_;
    etl::RecordSink& sink_;
    NamePool names_;
    ProfileRecords records_; ///< needs names_
    std::vector<NameId> strings_;
    std::vector<Address> frames_;
    std::vector<Node> nodes_;
    std::vector<Allocation> allocations_;
    std::shared_ptr<std::deque<StackKeyItem>> keys_ =
        std::make_shared<std::deque<StackKeyItem>>(); ///< read by other threads
    std::vector<std::uint32_t> olderBlock_ = std::vector<std::uint32_t>(1);
    std::uint32_t freeBlock_ = 0; ///< the first of a list in olderBlock_
    std::vector<NamedFunction> functions_;
    std::vector<Address> stack_;
    etl::RecordBatch batch_;
    std::shared_ptr<Payloads> payloads_; ///< of the batch
    std::shared_ptr<PayloadPool> pool_ = std::make_shared<PayloadPool>();
    std::size_t usedPayloads_ = 0;
    std::int64_t ticks_ = 0;
    std::int64_t stamp_ = 0;
    std::uint64_t damaged_ = 0;
    bool isNamed_ = false;
};

} // namespace

bool HeaptrackSource::isOne(std::string_view start) { return readStart(start).has_value(); }

Result<std::unique_ptr<HeaptrackSource>> HeaptrackSource::open(etl::FileImage file, std::string_view start) {
    const auto found = readStart(start);
    if (!found) return Error{ErrorKind::NotATrace, fmt::format("{} is no file of heaptrack.", file.name)};
    if (found->format > kNewestFormat) {
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} was written by a newer heaptrack (format {}): Highwater reads formats 1 to {}.",
                                 file.name, found->format, kNewestFormat)};
    }
    if (!found->isInterpreted) {
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} is raw output of heaptrack, without names. Interpret it first: zstd -dc < FILE | "
                                 "/usr/lib/heaptrack/libexec/heaptrack_interpret > NEW",
                                 file.name)};
    }
    if (found->format == 0) {
        return Error{ErrorKind::Unsupported,
                     fmt::format("{} was written by a heaptrack before 1.0: Highwater reads formats 1 to {}.",
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
    auto stream = PackedStream::open(file_.bytes, file_.name);
    if (!stream.hasValue()) return stream.error();
    progress.total = file_.bytes.size();
    HeaptrackReader reader(*stream.value(), format_, pidOfName(file_.name), sink);
    if (auto done = reader.read(stop, progress); !done.hasValue()) return done;
    progress.done = file_.bytes.size();
    if (reader.damagedLines() > 0) {
        health.remark(
            fmt::format("Damaged lines of {} that were left out: {}.", file_.name, thousands(reader.damagedLines())));
    }
    if (reader.isCut() && !stream.value()->isBroken())
        health.remark(fmt::format("{} is cut off: what follows is missing.", file_.name));
    if (stream.value()->isBroken())
        health.remark(fmt::format("{} is cut off or damaged: what follows is missing.", file_.name));
    if (file_.file != nullptr && file_.file->hasLostBytes())
        health.remark(
            fmt::format("{} was cut off while it was read, or its disk failed: part of it is missing.", file_.name));
    return {};
}

} // namespace highwater::source
