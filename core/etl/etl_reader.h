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

/// The records of one buffer in memory: the image from the start of the buffer to the end of its valid bytes.
struct BufferImage {
    ByteSpan bytes;
    std::shared_ptr<const void> expanded; ///< owns the bytes of an expanded buffer; otherwise null
    bool endsEarly = false;               ///< there are more records after the claimed end of the buffer
};

/// One .etl file: its trace header, and its buffers with their order. Buffers are expanded individually on demand.
/// Immutable once all buffers are listed: any thread.
class EtlReader {
  public:
    /// Reads only the trace header, for a file whose buffers are listed while it is read. The reader calls listUpTo()
    /// ahead of the buffers that it reads, and finishListing() at the end. Not for files whose header says that they
    /// are out of order. Errors: as of open().
    static Result<EtlReader> openPart(FileImage image, std::uint64_t mostRecordBytes);
    [[nodiscard]] bool mayBeListedWhileRead() const;

    /// Reads the trace header and lists all buffers. Problems of single buffers are counted in `health`. Errors: empty,
    /// not a trace, cut off or damaged before the end of the trace header. Buffers whose total expanded size exceeds
    /// `mostRecordBytes` are left out, counted and reported.
    static Result<EtlReader> open(FileImage image, TraceHealth& health, std::uint64_t mostRecordBytes);
    /// The same with the limit for the size of the file.
    static Result<EtlReader> open(FileImage image, TraceHealth& health);

    [[nodiscard]] const FileImage& image() const { return image_; }
    [[nodiscard]] const TraceHeader& header() const { return header_; }
    [[nodiscard]] const BufferList& buffers() const { return buffers_; }
    /// False when all buffers are listed.
    bool listUpTo(std::uint64_t offset);
    [[nodiscard]] std::uint64_t listedUpTo() const { return lister_->reached(); }
    /// The listed buffers claim to contain more than the limit for such a file.
    [[nodiscard]] bool isTooMuch() const { return listedBytes_ > mostRecordBytes_; }
    /// After the last buffer was listed: counts problems of the buffers in `health`. Returns false if the buffers read
    /// so far may have been in the wrong order, or should not have been read at all. Read the file again with open()
    /// then.
    [[nodiscard]] bool finishListing(TraceHealth& health);
    /// Whether the end of the file is missing because it was cut off, or its recorder did not close it.
    [[nodiscard]] bool endsEarly() const {
        return !header_.isClosed() || buffers_.truncated > 0 || buffers_.behindTheEnd > 0;
    }
    /// The expanded size that the buffers claim.
    [[nodiscard]] std::uint64_t recordBytes() const;

    /// Times outside them are damaged; the code that lists records repairs them.
    [[nodiscard]] const TimeLimits& timeLimits() const { return timeLimits_; }
    /// Number of records older than an earlier one of the same processor; nothing if that was not checked in advance.
    [[nodiscard]] std::optional<std::uint64_t> lateRecords() const { return lateRecords_; }

    /// Null if the buffer does not expand to its claimed size (for a truncated one: to the available part).
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
