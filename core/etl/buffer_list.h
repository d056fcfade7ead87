#pragma once

#include "core/etl/buffer.h"
#include "core/etl/file_image.h"
#include "core/etl/trace_header.h"

#include <limits>
#include <memory>
#include <vector>

namespace highwater::etl {

inline constexpr auto kUnknownTicks = std::numeric_limits<std::int64_t>::min();

/// One buffer of a file that can be tried: where it lies and where it belongs in the order.
struct BufferPlace {
    std::uint64_t fileOffset = 0;
    std::uint32_t storedBytes = 0; ///< present in the file, its header included
    std::uint32_t imageBytes = 0;  ///< claimed end of the valid bytes in the (expanded) image, the header included
    std::int64_t startTicks = 0;   ///< time of the first record; or kUnknownTicks
    std::int64_t sequence = 0;
    std::uint16_t processor = 0;
    bool isHeader = false;
    bool isCompressed = false;
    bool isAfterLoss = false; ///< it says that something was lost before it
    bool isCut = false;       ///< by the end of the file, or by the buffer behind it
};

/// Order of the buffers of a file within their streams: by processor, the header buffer apart (it may hold records from
/// the start and from the end of the recording), then time, sequence, position.
[[nodiscard]] bool isEarlierInStream(const BufferPlace& a, const BufferPlace& b);
[[nodiscard]] bool isSameStream(const BufferPlace& a, const BufferPlace& b);

/// What lies in one file, and what is wrong with it. Counts of buffers.
struct BufferList {
    std::vector<BufferPlace> places; ///< in file order
    std::uint64_t found = 0;         ///< with those whose format cannot be read
    std::uint64_t compressed = 0;
    std::uint64_t truncated = 0;
    std::uint64_t unreadable = 0;
    std::uint64_t markedLossy = 0;
    std::uint64_t missing = 0;      ///< gaps in the sequence numbers; only claimed where those are reliable
    std::uint64_t behindTheEnd = 0; ///< further ones that the header counts; only claimed where its count is reliable
};

/// Walks the buffer headers of a file, and looks at the first record of each buffer. After bytes that are no buffer
/// header, an uncompressed file is taken up again at the next multiple of the session's buffer size that looks like
/// one. One thread.
class BufferLister {
  public:
    BufferLister(const FileImage& file, const TraceHeader& header);
    ~BufferLister();
    BufferLister(const BufferLister&) = delete;
    BufferLister& operator=(const BufferLister&) = delete;

    /// Adds those that begin before `offset`, at least. False: all are listed, and the list says what is wrong.
    bool listUpTo(std::uint64_t offset, BufferList& list);
    /// Where the next one is looked for.
    [[nodiscard]] std::uint64_t reached() const;

  private:
    class Walk;
    std::unique_ptr<Walk> walk_;
};

} // namespace highwater::etl
