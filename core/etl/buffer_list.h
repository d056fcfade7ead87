#pragma once

#include "core/etl/buffer.h"
#include "core/etl/file_image.h"
#include "core/etl/trace_header.h"

#include <limits>
#include <memory>
#include <vector>

namespace highwater::etl {

inline constexpr auto kUnknownTicks = std::numeric_limits<std::int64_t>::min();

/// A buffer of a file that can be read: its position in the file and in the order.
struct BufferPlace {
    std::uint64_t fileOffset = 0;
    std::uint32_t storedBytes = 0; ///< bytes in the file, including the header
    std::uint32_t imageBytes = 0;  ///< claimed end of the valid bytes in the (expanded) image, including the header
    std::int64_t startTicks = 0;   ///< time of the first record; or kUnknownTicks
    std::int64_t sequence = 0;
    std::uint16_t processor = 0;
    bool isHeader = false;
    bool isCompressed = false;
    bool isAfterLoss = false; ///< the buffer reports that something was lost before it
    bool isCut = false;       ///< by the end of the file, or by the next buffer
};

/// Order of the buffers of a file within their streams: by processor, with the header buffer separate (it may contain
/// records from the start and the end of the recording), then by time, sequence, position.
[[nodiscard]] bool isEarlierInStream(const BufferPlace& a, const BufferPlace& b);
[[nodiscard]] bool isSameStream(const BufferPlace& a, const BufferPlace& b);

/// The buffers of one file, and its problems. Counts of buffers.
struct BufferList {
    std::vector<BufferPlace> places; ///< in file order
    std::uint64_t found = 0;         ///< including those with an unreadable format
    std::uint64_t compressed = 0;
    std::uint64_t truncated = 0;
    std::uint64_t unreadable = 0;
    std::uint64_t markedLossy = 0;
    std::uint64_t missing = 0;      ///< gaps in the sequence numbers; only if those are reliable
    std::uint64_t behindTheEnd = 0; ///< further buffers counted in the header; only if its count is reliable
};

/// Iterates over the buffer headers of a file, and reads the first record of each buffer. After bytes that are not a
/// buffer header, reading of an uncompressed file resumes at the next multiple of the session's buffer size that looks
/// like one. One thread.
class BufferLister {
  public:
    BufferLister(const FileImage& file, const TraceHeader& header);
    ~BufferLister();
    BufferLister(const BufferLister&) = delete;
    BufferLister& operator=(const BufferLister&) = delete;

    /// Adds at least the buffers that begin before `offset`. Returns false when all are listed, and the list includes
    /// the problems.
    bool listUpTo(std::uint64_t offset, BufferList& list);
    /// Search start for the next buffer.
    [[nodiscard]] std::uint64_t reached() const;

  private:
    class Walk;
    std::unique_ptr<Walk> walk_;
};

} // namespace highwater::etl
