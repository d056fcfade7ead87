#pragma once

#include "core/etl/raw_record.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace highwater::decode {

/// State of the bytes of a snapshot.
enum class SnapshotState : std::uint8_t {
    Whole,
    PiecesMissing, ///< fewer bytes than the end marker specifies
    NoEnd,         ///< there was no end marker
    Contradictory, ///< more bytes than the end marker specifies, or two different pieces with one number
    TooLarge,      ///< more than the limit; the bytes were discarded
};

/// An assembled Windows heap snapshot.
struct SnapshotBytes {
    std::uint32_t pid = 0;
    std::uint32_t instance = 0;
    std::int64_t ticks = 0; ///< ticks of the end marker; otherwise of the last piece
    SnapshotState state = SnapshotState::Whole;
    std::uint64_t arrived = 0;    ///< bytes in all pieces; each is counted once, unless they are too large
    std::vector<std::byte> bytes; ///< the pieces in order of their numbers
};

/// Limits of stored data; tests use smaller ones.
struct SnapshotLimits {
    std::size_t bytes = std::size_t{1} << 29; ///< for all snapshots that are not taken yet
    std::size_t open = 64;                    ///< incomplete snapshots; beyond the limit the oldest is given up
};

/// Assembles the pieces of heap snapshots (docs/etl-format.md 5.6). Pieces of several processes and instances may
/// arrive interleaved, repeatedly and in any order, even after their end marker. A snapshot is ready when as many bytes
/// have arrived as its end marker specifies, or when it is given up. Memory is limited for any input. One thread.
class SnapshotPieces {
  public:
    explicit SnapshotPieces(SnapshotLimits limits = {}) : limits_(limits) {}

    /// Adds a record of Windows' provider of heap snapshots. Returns false and ignores it if it is shorter than it
    /// claims. Records of other kinds are skipped.
    bool add(const etl::RawRecord& record);
    /// Incomplete snapshots will not be completed any more.
    void finish();

    [[nodiscard]] bool hasReady() const { return !ready_.empty(); }
    [[nodiscard]] const SnapshotBytes& nextReady() const { return ready_.front(); }
    /// The oldest snapshot that is ready; there must be one.
    [[nodiscard]] SnapshotBytes takeReady();

  private:
    struct Piece {
        std::size_t offset; ///< into Open::bytes
        std::size_t length;
    };
    struct Open {
        std::uint64_t order = 0; ///< order of their start
        std::map<std::uint32_t, Piece> pieces;
        std::vector<std::byte> bytes; ///< in order of arrival
        std::uint64_t arrived = 0;
        std::optional<std::uint32_t> total;
        std::int64_t ticks = 0;
        bool isContradictory = false;
        bool isTooLarge = false;
    };
    using OpenSnapshots = std::map<std::uint64_t, Open>;

    void addPiece(std::uint64_t key, std::uint32_t sequence, ByteSpan piece, std::int64_t ticks);
    void addEnd(std::uint64_t key, std::uint32_t total, std::int64_t ticks);
    [[nodiscard]] OpenSnapshots::iterator opened(std::uint64_t key);
    [[nodiscard]] static bool isSame(const Open& open, const Piece& there, ByteSpan piece);
    void keep(Open& open, std::uint32_t sequence, ByteSpan piece);
    void closeIfWhole(OpenSnapshots::iterator snapshot);
    void close(OpenSnapshots::iterator snapshot);
    [[nodiscard]] static SnapshotState stateOf(const Open& open);

    SnapshotLimits limits_;
    OpenSnapshots open_; ///< by pid and instance
    std::map<std::uint64_t, std::uint32_t>
        endOfClosed_; ///< totals of the newest complete ones, to recognise repeated ends
    std::deque<SnapshotBytes> ready_;
    std::size_t held_ = 0; ///< bytes in open_ and ready_, including overhead
    std::uint64_t begun_ = 0;
};

} // namespace highwater::decode
