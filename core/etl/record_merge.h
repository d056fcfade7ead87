#pragma once

#include "core/etl/buffer_opener.h"
#include "core/etl/etl_reader.h"
#include "core/etl/record_header.h"

#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace highwater::etl {

/// Merges the records of one or more files of one boot into one order: by time, then processor, then file, then
/// position.
///
/// Each buffer is a sorted run. All buffers wait in one list, by the time of their first record. A buffer is opened
/// (expanded, its records listed, and sorted if necessary) when the merge reaches that time. In a normal file,
/// therefore, about one buffer per processor is open, and other threads open the next few (BufferOpener). The open ones
/// are in a heap. The one with the smallest time delivers records until it passes the second, so the heap is updated
/// once per run and not once per record. Counts RecordsDamaged, RecordsTruncated, RecordsOutOfOrder, BuffersEndEarly
/// and BuffersNotDecompressed. One thread; the readers must outlive this object.
class RecordMerge {
  public:
    /// threads: number of threads that open buffers ahead; nothing: as many as are useful.
    RecordMerge(std::span<const EtlReader> readers, TraceHealth& health, std::optional<unsigned> threads = {});
    /// For one file that was opened with openPart(): its buffers are listed while it is read, `ahead` bytes before the
    /// current position. This is correct for a file whose buffers are approximately in time order, as is normal. For
    /// any other file, fill() ends and isOutOfOrder() returns true.
    RecordMerge(EtlReader& growing, std::uint64_t ahead, TraceHealth& health, std::optional<unsigned> threads = {});

    /// The number of useful threads beside the owner's and `busy` others that process the delivered records.
    [[nodiscard]] static unsigned usefulThreads(std::span<const EtlReader> readers, unsigned busy = 0);

    /// Appends about `wanted` records (fewer if they use much memory) and the owners of their memory. False if
    /// there are no more.
    bool fill(RecordBatch& batch, std::size_t wanted);

    /// Time of the newest record of a file so far; that of its header if there is none.
    [[nodiscard]] std::int64_t newestTicks(std::size_t reader) const { return newestOfReader_[reader]; }
    /// Bytes of the files whose buffers are finished.
    [[nodiscard]] std::uint64_t bytesRead() const { return bytesRead_; }
    /// The delivered records were in the wrong order: the file must be read again, after all buffers are listed.
    [[nodiscard]] bool isOutOfOrder() const { return isOutOfOrder_; }

  private:
    /// Position in the order. `tie` = processor : 16 | file : 16 | rank of the buffer in its stream : 32.
    struct Key {
        std::int64_t ticks = 0;
        std::uint64_t tie = 0;
        friend constexpr auto operator<=>(const Key&, const Key&) = default;
    };
    struct Waiting {
        Key key;
        std::uint32_t reader = 0;
        std::uint32_t place = 0;
        std::uint32_t stream = 0;
        BufferOpener::Opening* opening = nullptr; ///< set if it is opened ahead
    };
    struct OpenBuffer {
        BufferImage image;
        std::vector<RecordExtent> records;
        std::size_t next = 0;
        std::uint64_t batch = 0; ///< number of the batch that already keeps the memory alive
        std::uint32_t storedBytes = 0;
        std::uint32_t reader = 0;
        std::uint16_t processor = 0;
    };
    /// A stream of a growing file.
    struct Stream {
        std::uint32_t number = 0; ///< index into newestTicks_
        std::uint32_t newest = 0; ///< its last listed buffer
    };
    struct HeapEntry {
        Key key;
        std::uint32_t slot = 0;
    };

    void noteDamagedTimes();
    void queueBuffers();
    void listAhead();
    [[nodiscard]] bool isListDue() const;
    [[nodiscard]] bool queueListed();
    void openDueBuffers();
    void openBuffer(const Waiting& waiting);
    void openAhead();
    [[nodiscard]] bool hasRoomFor(const BufferPlace& place) const;
    void putInOrder(const EtlReader& reader, const Waiting& waiting);
    std::uint32_t takeSlot();
    void closeBuffer(std::uint32_t slot);
    [[nodiscard]] Key limit() const;
    void deliverRun(RecordBatch& batch, std::size_t most);
    void keepAlive(RecordBatch& batch, OpenBuffer& buffer);
    void push(const HeapEntry& entry);
    void replaceTop(Key key, std::uint32_t slot);
    void pop();

    std::span<const EtlReader> readers_;
    TraceHealth& health_;
    EtlReader* growing_ = nullptr; ///< null once all is listed
    std::uint64_t ahead_ = 0;
    std::uint64_t opened_ = 0; ///< position of the farthest opened buffer
    std::uint32_t queued_ = 0; ///< number of queued buffers of the growing file
    std::map<std::pair<std::uint16_t, bool>, Stream> streams_;
    std::map<std::uint16_t, std::uint32_t> ranks_; ///< number of listed buffers per processor
    Key delivered_{std::numeric_limits<std::int64_t>::min(), 0};
    bool isOutOfOrder_ = false;
    std::vector<Waiting> waiting_; ///< in order of key
    std::size_t nextWaiting_ = 0;
    std::size_t nextAhead_ = 0;   ///< the first one that is not being opened
    std::vector<HeapEntry> heap_; ///< smallest first
    std::vector<OpenBuffer> slots_;
    std::vector<std::uint32_t> freeSlots_;
    std::vector<std::int64_t> newestTicks_; ///< by stream (processor of a file), to detect late records
    std::vector<std::int64_t> newestOfReader_;
    std::vector<std::uint64_t> heldFor_; ///< by reader: number of the batch that already keeps its file alive
    std::uint64_t batch_ = 0;
    std::uint64_t batchHeldBytes_ = 0; ///< bytes of expanded buffers that the current batch keeps alive
    std::uint64_t expandedBytes_ = 0; ///< for all open buffers
    std::uint64_t bytesRead_ = 0;
    std::uint64_t damagedTimes_ = 0;
    OpenedBuffer buffer_; ///< the buffer that is being opened
    BufferOpener opener_;
};

} // namespace highwater::etl
