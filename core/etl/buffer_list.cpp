#include "core/etl/buffer_list.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace highwater::etl {
namespace {

class Lister {
  public:
    Lister(ByteSpan file, const TraceHeader& header) : file_(file), header_(header) {}

    BufferList run() {
        for (std::uint64_t at = 0; at < file_.size();) {
            const auto buffer = parseBufferHeader(rest(at));
            if (!buffer) {
                ++list_.truncated;
                break;
            }
            if (isAcceptable(*buffer, at)) {
                add(*buffer, at);
                at += buffer->storedBytes;
                continue;
            }
            if (isUnwritten(at)) break;
            const auto next = resynchronise();
            if (!next) {
                ++list_.unreadable;
                break;
            }
            at = *next;
        }
        list_.found = list_.places.size();
        countAbsent();
        return std::move(list_);
    }

  private:
    [[nodiscard]] ByteSpan rest(std::uint64_t at) const { return file_.subspan(static_cast<std::size_t>(at)); }

    [[nodiscard]] bool isAcceptable(const BufferHeader& buffer, std::uint64_t at) const {
        if (!buffer.isPlausible()) return false;
        if (buffer.storedBytes <= file_.size() - at) return true;
        // Cut off by the end of the file, or a size that is wrong?
        const bool variable = buffer.isCompressed() || buffer.type == buffer_type::kHeader;
        return variable ? buffer.storedBytes <= std::max(header_.bufferBytes, kSmallestSessionBytes)
                        : buffer.storedBytes == header_.bufferBytes;
    }

    void add(const BufferHeader& buffer, std::uint64_t at) {
        BufferPlace place;
        place.fileOffset = at;
        place.isCut = buffer.storedBytes > file_.size() - at;
        place.storedBytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(buffer.storedBytes, file_.size() - at));
        place.imageBytes = buffer.imageBytes();
        place.sequence = buffer.sequence;
        place.processor = buffer.processor;
        place.isHeader = buffer.type == buffer_type::kHeader;
        place.isCompressed = buffer.isCompressed();
        list_.compressed += place.isCompressed;
        list_.truncated += place.isCut;
        place.isAfterLoss = (buffer.flags & (buffer_flag::kEventsLost | buffer_flag::kBufferLost)) != 0;
        list_.markedLossy += place.isAfterLoss;
        list_.places.push_back(place);
    }

    /// Space that the recorder had set aside and not used.
    [[nodiscard]] bool isUnwritten(std::uint64_t at) const {
        if (header_.isClosed() && (header_.logMode & log_mode::kPreallocate) == 0) return false;
        const auto bytes = rest(at).first(kBufferHeaderBytes);
        return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
    }

    /// The next place after the last good buffer where a buffer seems to begin. Counts what is skipped.
    std::optional<std::uint64_t> resynchronise() {
        const std::uint64_t step = header_.bufferBytes;
        if (step < kBufferHeaderBytes || list_.compressed > 0 || (header_.logMode & log_mode::kCompressed) != 0)
            return {};
        const std::uint64_t last = list_.places.empty() ? 0 : list_.places.back().fileOffset;
        std::uint64_t skipped = 0;
        for (auto at = (last / step + 1) * step; at < file_.size(); at += step, ++skipped) {
            if (!looksLikeBuffer(at)) continue;
            list_.unreadable += std::max<std::uint64_t>(skipped, 1);
            if (!list_.places.empty()) trim(list_.places.back(), at);
            return at;
        }
        return {};
    }

    [[nodiscard]] bool looksLikeBuffer(std::uint64_t at) const {
        const auto buffer = parseBufferHeader(rest(at));
        if (!buffer || !buffer->isPlausible() || buffer->isCompressed()) return false;
        if (buffer->storedBytes != header_.bufferBytes || rest(at).size() < kBufferHeaderBytes + 4) return false;
        const auto word = loadUnchecked<std::uint32_t>(rest(at).data() + kBufferHeaderBytes);
        return (word & 0xC0000000u) == 0xC0000000u || (word & 0xD0000000u) == 0x90000000u;
    }

    /// The size of the last buffer was wrong: it ends where the next one begins.
    static void trim(BufferPlace& place, std::uint64_t end) {
        if (place.fileOffset + place.storedBytes <= end) return;
        place.storedBytes = static_cast<std::uint32_t>(end - place.fileOffset);
        place.isCut = true;
    }

    /// Sequence numbers run from 0 without a gap, but only in files that were closed and never overwritten. Those above
    /// the highest one that is there were behind the end of the file, and so may be a few below it; the others are
    /// gaps.
    void countAbsent() {
        constexpr auto kUnreliable =
            log_mode::kCircular | log_mode::kAppend | log_mode::kNewFile | log_mode::kBuffering;
        if (!header_.isClosed() || (header_.logMode & kUnreliable) != 0) return;
        const std::uint64_t found = list_.places.size();
        const std::uint64_t accounted = found + list_.unreadable;
        const std::uint64_t written = header_.buffersWritten;
        const std::uint64_t absent = written > accounted ? written - accounted : 0;
        std::vector<std::int64_t> numbers;
        for (const auto& place : list_.places)
            numbers.push_back(place.sequence);
        std::sort(numbers.begin(), numbers.end());
        const bool unique = std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
        // A number far beyond the others is damage of that number, not a gap.
        const auto highest = found == 0 || numbers.front() < 0 ? 0 : static_cast<std::uint64_t>(numbers.back());
        if (found == 0 || !unique || numbers.front() < 0 || highest >= 2 * std::max(found, written)) {
            list_.missing = absent;
            return;
        }
        const std::uint64_t inGaps = highest + 1 > accounted ? highest + 1 - accounted : 0;
        list_.behindTheEnd = std::min(absent, written > highest + 1 ? written - (highest + 1) : 0);
        list_.missing = std::max(inGaps, absent - list_.behindTheEnd);
        if (list_.truncated == 0 && list_.behindTheEnd == 0) return;
        const auto filling = std::min({list_.missing, absent - list_.behindTheEnd, mostBeingFilled()});
        list_.behindTheEnd += filling;
        list_.missing -= filling;
    }

    /// A processor takes the next number when it begins to fill a buffer, which is written once it is full. So where a
    /// file is cut, each of the others may have had one with a lower number than the highest that is there.
    [[nodiscard]] std::uint64_t mostBeingFilled() const { return header_.processors > 0 ? header_.processors - 1 : 0; }

    static constexpr std::uint32_t kSmallestSessionBytes = 4096;

    ByteSpan file_;
    const TraceHeader& header_;
    BufferList list_;
};

} // namespace

bool isEarlierInStream(const BufferPlace& a, const BufferPlace& b) {
    return std::tuple(a.processor, !a.isHeader, a.startTicks, a.sequence, a.fileOffset) <
           std::tuple(b.processor, !b.isHeader, b.startTicks, b.sequence, b.fileOffset);
}

bool isSameStream(const BufferPlace& a, const BufferPlace& b) {
    return a.processor == b.processor && a.isHeader == b.isHeader;
}

BufferList listBuffers(ByteSpan file, const TraceHeader& header) { return Lister(file, header).run(); }

} // namespace highwater::etl
