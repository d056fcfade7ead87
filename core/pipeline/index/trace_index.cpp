#include "core/pipeline/index/trace_index.h"

#include "core/base/background_release.h"
#include "core/base/on_threads.h"
#include "core/pipeline/index/index_archive.h"
#include "core/pipeline/index/index_check.h"
#include "core/pipeline/index/index_checksum.h"
#include "core/pipeline/index/index_fields.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>

namespace highwater::pipeline {
namespace {

/// "SHWINDX1". Use another number if the file layout changes.
constexpr std::uint64_t kIndexMagic = 0x3158444E49574853;
constexpr std::size_t kColumnAlignment = 64;

/// After the header come blocks (the last one may be shorter), then the checksums of these.
struct IndexHeader {
    std::uint64_t magic = kIndexMagic;
    std::uint64_t checksum = 0; ///< over the rest of the header and the blocks' checksums
    std::uint64_t columnBytes = 0;
    std::uint64_t otherBytes = 0;
    std::uint64_t reserved[4] = {};
};
static_assert(sizeof(IndexHeader) == kColumnAlignment);

struct ColumnPlace {
    std::uint64_t offset = 0; ///< in the column part of the file
    std::uint64_t cells = 0;
    std::uint64_t cellBytes = 0;
};

std::uint64_t headerChecksum(const IndexHeader& header, std::span<const std::uint64_t> blocks) {
    auto mixed = indexChecksum(std::as_bytes(blocks));
    for (const auto value : {header.magic, header.columnBytes, header.otherBytes})
        mixed = mixIndexChecksum(mixed, value);
    return mixed;
}

/// Appends in blocks and computes their checksums.
class BlockWriter {
  public:
    BlockWriter(OutputFile& file, const std::stop_token& stop) : file_(file), stop_(stop) {
        block_.reserve(kIndexBlockBytes);
    }
    void put(ByteSpan bytes) {
        while (!bytes.empty() && outcome_.hasValue()) {
            const auto part = bytes.first(std::min(bytes.size(), kIndexBlockBytes - block_.size()));
            block_.insert(block_.end(), part.begin(), part.end());
            bytes = bytes.subspan(part.size());
            size_ += part.size();
            if (block_.size() == kIndexBlockBytes) flush();
        }
    }
    void align() {
        constexpr std::array<std::byte, kColumnAlignment> kZeros{};
        const auto over = size_ % kColumnAlignment;
        if (over > 0) put(ByteSpan(kZeros).first(kColumnAlignment - over));
    }
    void flush() {
        if (!outcome_.hasValue() || block_.empty()) return;
        if (stop_.stop_requested()) {
            outcome_ = Error{ErrorKind::Cancelled, "The index was not finished."};
            return;
        }
        checksums_.push_back(indexChecksum(block_));
        outcome_ = file_.append(block_);
        block_.clear();
    }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] const std::vector<std::uint64_t>& checksums() const { return checksums_; }
    [[nodiscard]] const Result<void>& outcome() const { return outcome_; }

  private:
    OutputFile& file_;
    const std::stop_token& stop_;
    std::vector<std::byte> block_;
    std::vector<std::uint64_t> checksums_;
    std::uint64_t size_ = 0;
    Result<void> outcome_;
};

struct WriteColumn {
    BlockWriter& out;
    std::vector<ColumnPlace>& places;

    template <typename Cell>
    void operator()(const store::ChunkedColumn<Cell>& column) const {
        out.align();
        const auto cells = column.size();
        places.push_back({out.size(), cells, sizeof(Cell)});
        for (std::uint64_t first = 0; first < cells;) {
            const std::span<const Cell> part = column.contiguous(first, cells);
            out.put(std::as_bytes(part));
            first += part.size();
        }
    }
};

struct CountColumnBytes {
    std::uint64_t bytes = 0;

    template <typename Cell>
    void operator()(const store::ChunkedColumn<Cell>& column) {
        bytes += column.bytesUsed() + kColumnAlignment;
    }
};

/// Lets columns use the mapped file.
struct AdoptColumn {
    ByteSpan bytes;
    std::span<const ColumnPlace> places;
    bool areRight = true;

    template <typename Cell>
    void operator()(store::ChunkedColumn<Cell>& column) {
        if (!areRight || places.empty()) {
            areRight = false;
            return;
        }
        const auto place = places.front();
        places = places.subspan(1);
        areRight = place.cellBytes == sizeof(Cell) && place.offset % kColumnAlignment == 0 &&
                   place.offset <= bytes.size() && place.cells <= (bytes.size() - place.offset) / sizeof(Cell);
        if (!areRight) return;
        const auto* cells = reinterpret_cast<const Cell*>(bytes.data() + place.offset);
        areRight = column.adopt({cells, static_cast<std::size_t>(place.cells)});
    }
};

/// The columns contain everything that views and rows refer to.
bool isWithin(const store::TableView& view, const store::TableColumns& columns) {
    const auto& rows = columns.rows;
    return view.rows == rows.begins().size() && rows.begins().isWhole() && view.rows == rows.ends().size() &&
           rows.ends().isWhole() && view.rows == rows.addresses().size() && rows.addresses().isWhole() &&
           view.rows == rows.narrowSizes().size() && view.rows == rows.sites().size() &&
           view.partials <= rows.partials().size() && view.reallocMarks <= rows.reallocMarks().size() &&
           view.olderRows <= rows.olderRows().size() && view.unmatchedFrees <= columns.unmatchedFrees.size() &&
           view.events <= rows.order().blocks().size() * store::EventOrder::kBlockEvents &&
           view.sites <= columns.sites.size() && view.endSites <= columns.endSites.size();
}

bool isWithin(const store::PublishedTrace& trace) {
    const auto& names = *trace.columns->names;
    return trace.processes != nullptr && isWithin(trace.heap, trace.columns->heap) &&
           isWithin(trace.virtualAlloc, trace.columns->virtualAlloc) &&
           isWithin(trace.managed, trace.columns->managed) && isWithin(trace.gcHeap, trace.columns->gcHeap) &&
           trace.stackCount <= names.stacks.stackCount() && trace.nodeCount <= names.stacks.nodeCount() &&
           trace.heapEvents <= names.heapEvents.size() && trace.addressEvents <= names.addressEvents.size() &&
           trace.snapshotBlocks <= names.snapshotBlocks.size() && trace.codeEntries <= names.code.entries.size() &&
           trace.codeMethods <= names.code.methods.size() && trace.codeIlMaps <= names.code.maps.size() &&
           trace.codeNamed <= names.code.named.size();
}

/// The parts of a file with correct checksums.
struct IndexParts {
    ByteSpan columns;
    ByteSpan others;
};

/// Blocks are distributed among all processors because this is most of the cost of opening.
bool areBlocksRight(ByteSpan payload, std::span<const std::uint64_t> checksums) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> right{true};
    const auto threads = std::min<std::size_t>(usableProcessors(), checksums.size() / 4 + 1);
    onThreads(threads, [&](std::size_t) {
        for (auto i = next++; i < checksums.size() && right; i = next++) {
            const auto first = i * kIndexBlockBytes;
            const auto block = payload.subspan(first, std::min(kIndexBlockBytes, payload.size() - first));
            if (indexChecksum(block) != checksums[i]) right = false;
        }
    });
    return right;
}

std::optional<IndexParts> checkedParts(ByteSpan bytes) {
    ByteReader reader(bytes);
    const auto header = reader.take<IndexHeader>();
    if (!header || header->magic != kIndexMagic) return std::nullopt;
    const auto columns = reader.takeBytes(static_cast<std::size_t>(header->columnBytes));
    const auto others = reader.takeBytes(static_cast<std::size_t>(header->otherBytes));
    if (!columns || !others) return std::nullopt;
    const auto payload = bytes.subspan(sizeof(IndexHeader), columns->size() + others->size());
    const auto blocks = payload.size() / kIndexBlockBytes + (payload.size() % kIndexBlockBytes != 0 ? 1 : 0);
    if (reader.remaining() != blocks * sizeof(std::uint64_t)) return std::nullopt;
    std::vector<std::uint64_t> checksums(blocks);
    const auto stored = *reader.takeBytes(reader.remaining());
    if (blocks > 0) std::memcpy(checksums.data(), stored.data(), stored.size());
    if (header->checksum != headerChecksum(*header, checksums) || !areBlocksRight(payload, checksums))
        return std::nullopt;
    return IndexParts{*columns, *others};
}

/// Whether a sentence or name in the trace contains the name of a file.
bool containsFileName(const IndexedTrace& trace, const std::vector<std::string>& named) {
    const auto speaks = [&](const std::string& text) {
        return std::ranges::any_of(named, [&](const auto& name) { return text.find(name) != std::string::npos; });
    };
    const auto& health = trace.trace->health;
    return std::ranges::any_of(health.remarks, speaks) || std::ranges::any_of(health.notes, speaks) ||
           std::ranges::any_of(trace.facts.files.earlyEnds, [&](const auto& end) { return speaks(end.name); });
}

/// The same files may have other names (from another folder, or through a link). Sentences about them use the current
/// names.
bool rename(IndexedTrace& trace, const std::vector<std::string>& before, const std::vector<std::string>& now) {
    if (before == now) return true;
    if (trace.facts.properties.paths != before || containsFileName(trace, before)) return false;
    trace.facts.properties.paths = now;
    return true;
}

void setColumns(store::PublishedTrace& trace, std::shared_ptr<const store::TraceColumns> columns) {
    trace.heap.columns = &columns->heap;
    trace.virtualAlloc.columns = &columns->virtualAlloc;
    trace.managed.columns = &columns->managed;
    trace.gcHeap.columns = &columns->gcHeap;
    trace.columns = std::move(columns);
}

} // namespace

std::uint64_t traceIndexBytes(const IndexedTrace& trace) {
    CountColumnBytes count;
    eachColumn(*trace.trace->columns, count);
    return count.bytes;
}

Result<void> writeTraceIndex(OutputFile& file, const std::string& key, const std::vector<std::string>& named,
                             const IndexedTrace& trace, const std::stop_token& stop) {
    IndexHeader header;
    const auto headerBytes = [&] { return std::as_bytes(std::span(&header, 1)); };
    const IndexHeader unfinished{.magic = 0};
    TRY(file.append(std::as_bytes(std::span(&unfinished, 1))));

    BlockWriter out(file, stop);
    std::vector<ColumnPlace> places;
    WriteColumn write{out, places};
    eachColumn(*trace.trace->columns, write);
    header.columnBytes = out.size();

    auto lasting = *trace.trace;
    lasting.health.notes.resize(lasting.health.notes.size() - lasting.passingNotes);
    lasting.passingNotes = 0;
    WritingArchive archive;
    archive(key, named, places, lasting, trace.facts, trace.notes);
    out.put(archive.bytes());
    out.flush();
    header.otherBytes = out.size() - header.columnBytes;
    TRY(out.outcome());

    header.checksum = headerChecksum(header, out.checksums());
    TRY(file.append(std::as_bytes(std::span(out.checksums()))));
    return file.overwrite(0, headerBytes());
}

std::optional<IndexedTrace> readTraceIndex(const std::shared_ptr<const MappedFile>& file, const std::string& key,
                                           const std::vector<std::string>& named) {
    const auto parts = checkedParts(file->bytes());
    if (!parts || file->hasLostBytes()) return std::nullopt;
    ReadingArchive archive(parts->others);
    std::string keyOfFile;
    archive(keyOfFile);
    if (keyOfFile != key) return std::nullopt;

    std::vector<std::string> before;
    std::vector<ColumnPlace> places;
    auto trace = std::make_shared<store::PublishedTrace>();
    IndexedTrace indexed;
    archive(before, places, *trace, indexed.facts, indexed.notes);
    if (!archive.isAtEnd() || indexed.notes == nullptr) return std::nullopt;

    auto columns = makeReleasedInBackground<store::TraceColumns>();
    columns->names->backing = file;
    AdoptColumn adopt{parts->columns, places};
    eachColumn(*columns, adopt);
    if (!adopt.areRight || !adopt.places.empty()) return std::nullopt;
    setColumns(*trace, std::move(columns));
    if (!isWithin(*trace)) return std::nullopt;
    indexed.trace = std::move(trace);
    if (!refersWithin(*indexed.trace, indexed.facts, *indexed.notes)) return std::nullopt;
    if (!rename(indexed, before, named)) return std::nullopt;
    return indexed;
}

} // namespace highwater::pipeline
