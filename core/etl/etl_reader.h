#pragma once

#include "core/base/result.h"
#include "core/etl/buffer_list.h"
#include "core/etl/expansion_limit.h"
#include "core/etl/file_image.h"
#include "core/etl/record_times.h"
#include "core/event/trace_health.h"

#include <memory>
#include <optional>
#include <string>

namespace highwater::etl {

/// The records of one buffer in memory: the image from the buffer's start to the end of its valid bytes.
struct BufferImage {
    ByteSpan bytes;
    std::shared_ptr<const void> expanded; ///< owns the bytes of a buffer that was compressed; else null
    bool endsEarly = false;               ///< there is more behind the end that the buffer gives of itself
};

/// One .etl file: its trace header, and its buffers with the order they belong in. Buffers are expanded one by one,
/// when asked for. Immutable once all buffers are listed: any thread.
class EtlReader {
  public:
    /// Reads the trace header only, of a file whose buffers are listed while it is read: whoever reads calls listUpTo()
    /// ahead of what it reads, and finishListing() at its end. Not for files that say that they are out of order.
    /// Errors: as of open().
    static Result<EtlReader> openPart(FileImage image, std::uint64_t mostRecordBytes);
    [[nodiscard]] bool mayBeListedWhileRead() const;

    /// Reads the trace header and lists all buffers. What is wrong with single buffers is counted in `health`; Errors:
    /// empty, something else than a trace, cut off or damaged before the end of the trace header.
    /// Buffers that together come to more than `mostRecordBytes`, expanded, are left out, counted and told.
    static Result<EtlReader> open(FileImage image, TraceHealth& health, std::uint64_t mostRecordBytes);
    /// The same with the limit that the size of the file gives.
    static Result<EtlReader> open(FileImage image, TraceHealth& health);

    [[nodiscard]] const FileImage& image() const { return image_; }
    [[nodiscard]] const TraceHeader& header() const { return header_; }
    [[nodiscard]] const BufferList& buffers() const { return buffers_; }
    /// False: all buffers are listed.
    bool listUpTo(std::uint64_t offset);
    [[nodiscard]] std::uint64_t listedUpTo() const { return lister_->reached(); }
    /// What is listed claims to hold more than is read of such a file.
    [[nodiscard]] bool isTooMuch() const { return listedBytes_ > mostRecordBytes_; }
    /// After the last buffer was listed: counts in `health` what is wrong with them. False: what was read meanwhile may
    /// not have been in the right order, or not what is to be read at all. Read the file again, by open().
    [[nodiscard]] bool finishListing(TraceHealth& health);
    /// Whether the file lacks its end: it was cut off, or its recorder did not close it.
    [[nodiscard]] bool endsEarly() const {
        return !header_.isClosed() || buffers_.truncated > 0 || buffers_.behindTheEnd > 0;
    }
    /// What the buffers claim to hold, expanded.
    [[nodiscard]] std::uint64_t recordBytes() const;

    /// What is outside of them is damaged: whoever lists records mends it.
    [[nodiscard]] const TimeLimits& timeLimits() const { return timeLimits_; }
    /// Records older than one of the same processor before them; nothing if that was not looked at in advance.
    [[nodiscard]] std::optional<std::uint64_t> lateRecords() const { return lateRecords_; }

    /// Null if the buffer does not expand to what it claims (a cut one: to whatever is left of it).
    [[nodiscard]] std::optional<BufferImage> load(const BufferPlace& place) const;

  private:
    EtlReader(FileImage image, TraceHeader header);
    [[nodiscard]] bool putInOrder(TraceHealth& health);
    void countLosses(TraceHealth& health);
    void dropUnreadableFormats(TraceHealth& health);
    void dropBeyond(std::uint64_t mostRecordBytes, TraceHealth& health);
    [[nodiscard]] std::uint64_t expectedBytes(const BufferPlace& place) const;
    [[nodiscard]] bool findTimeLimits();
    [[nodiscard]] std::uint64_t expandedBytes() const;
    [[nodiscard]] bool mayBeOutOfOrder() const;
    void findEarliestTimes();

    FileImage image_;
    TraceHeader header_;
    std::unique_ptr<BufferLister> lister_;
    std::uint64_t mostRecordBytes_ = 0;
    std::uint64_t listedBytes_ = 0;
    BufferList buffers_;
    TimeLimits timeLimits_;
    std::optional<std::uint64_t> lateRecords_;
};

} // namespace highwater::etl
