#pragma once

#include "core/etl/raw_record.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace highwater::decode {

/// How the bytes of a snapshot arrived.
enum class SnapshotState : std::uint8_t {
    Whole,
    PiecesMissing, ///< fewer bytes than the end marker tells
    NoEnd,         ///< no end marker came
    Contradictory, ///< more bytes than the end marker tells, or two pieces of one number that differ
    TooLarge,      ///< more than is held at one time; the bytes were let go
};

/// One heap snapshot of Windows, put together.
struct SnapshotBytes {
    std::uint32_t pid = 0;
    std::uint32_t instance = 0;
    std::int64_t ticks = 0; ///< of the end marker; without one of the last piece
    SnapshotState state = SnapshotState::Whole;
    std::uint64_t arrived = 0;    ///< bytes in all pieces; each is counted once, unless they are too large
    std::vector<std::byte> bytes; ///< the pieces in the order of their numbers
};

/// Limits of what is held; smaller ones are for tests.
struct SnapshotLimits {
    std::size_t bytes = std::size_t{1} << 29; ///< of all snapshots that are not taken yet
    std::size_t open = 64;                    ///< snapshots that are not whole yet; of more the oldest is given up
};

/// Puts together the pieces of heap snapshots (docs/etl-format.md 5.6). Pieces of several processes and instances may
/// come mixed, twice and in any order, also behind their end marker. A snapshot is ready when as many bytes have come
/// as its end marker tells, or when it is given up. Whatever comes, memory has an end. One thread.
class SnapshotPieces {
  public:
    explicit SnapshotPieces(SnapshotLimits limits = {}) : limits_(limits) {}

    /// A record of Windows' provider of heap snapshots. False: it is shorter than it says; nothing was taken of it.
    /// Records of other kinds are passed over.
    bool add(const etl::RawRecord& record);
    /// What is not whole will not become so.
    void finish();

    [[nodiscard]] bool hasReady() const { return !ready_.empty(); }
    [[nodiscard]] const SnapshotBytes& nextReady() const { return ready_.front(); }
    /// The oldest that is ready; there is one.
    [[nodiscard]] SnapshotBytes takeReady();

  private:
    struct Piece {
        std::size_t offset; ///< in Open::bytes
        std::size_t length;
    };
    struct Open {
        std::uint64_t order = 0; ///< in which they began
        std::map<std::uint32_t, Piece> pieces;
        std::vector<std::byte> bytes; ///< in the order in which they came
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
        endOfClosed_; ///< totals of the newest that were whole, to know repeated ends
    std::deque<SnapshotBytes> ready_;
    std::size_t held_ = 0; ///< bytes in open_ and ready_, and what keeps them in order
    std::uint64_t begun_ = 0;
};

} // namespace highwater::decode
