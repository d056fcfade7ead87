#include "core/decode/snapshots/snapshot_pieces.h"

#include "core/event/opcodes.h"

#include <algorithm>
#include <utility>

namespace highwater::decode {
namespace {

constexpr std::size_t kPieceOverhead = 64;    ///< a map node
constexpr std::size_t kMostRemembered = 4096; ///< ends of complete snapshots

std::uint64_t keyOf(std::uint32_t pid, std::uint32_t instance) { return std::uint64_t{pid} << 32 | instance; }

} // namespace

bool SnapshotPieces::add(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    if (record.eventId == heap_snapshot_event::kPiece) {
        const auto instance = reader.take<std::uint32_t>();
        const auto sequence = reader.take<std::uint32_t>();
        const auto length = reader.take<std::uint32_t>();
        if (!instance || !sequence || !length) return false;
        const auto piece = reader.takeBytes(*length);
        if (!piece) return false;
        addPiece(keyOf(record.pid, *instance), *sequence, *piece, record.ticks);
    } else if (record.eventId == heap_snapshot_event::kEnd) {
        const auto instance = reader.take<std::uint32_t>();
        const auto total = reader.take<std::uint32_t>();
        if (!instance || !total) return false;
        addEnd(keyOf(record.pid, *instance), *total, record.ticks);
    }
    return true;
}

SnapshotPieces::OpenSnapshots::iterator SnapshotPieces::opened(std::uint64_t key) {
    if (const auto found = open_.find(key); found != open_.end()) return found;
    if (open_.size() >= limits_.open) {
        const auto isOlder = [](const auto& a, const auto& b) { return a.second.order < b.second.order; };
        close(std::min_element(open_.begin(), open_.end(), isOlder));
    }
    const auto snapshot = open_.try_emplace(key).first;
    snapshot->second.order = begun_++;
    return snapshot;
}

bool SnapshotPieces::isSame(const Open& open, const Piece& there, ByteSpan piece) {
    if (there.length != piece.size()) return false;
    return std::equal(piece.begin(), piece.end(), open.bytes.begin() + static_cast<std::ptrdiff_t>(there.offset));
}

void SnapshotPieces::addPiece(std::uint64_t key, std::uint32_t sequence, ByteSpan piece, std::int64_t ticks) {
    auto snapshot = opened(key);
    if (const auto there = snapshot->second.pieces.find(sequence); there != snapshot->second.pieces.end()) {
        if (isSame(snapshot->second, there->second, piece)) return;
        if (!snapshot->second.total) {
            snapshot->second.isContradictory = true;
            return;
        }
        close(snapshot); // the number was reused: this piece belongs to the next one
        snapshot = opened(key);
    }
    auto& open = snapshot->second;
    if (!open.total) open.ticks = ticks;
    keep(open, sequence, piece);
    closeIfWhole(snapshot);
}

void SnapshotPieces::keep(Open& open, std::uint32_t sequence, ByteSpan piece) {
    open.arrived += piece.size();
    const auto cost = piece.size() + kPieceOverhead;
    if (open.isTooLarge) return;
    if (cost > limits_.bytes - std::min(limits_.bytes, held_)) {
        held_ -= open.bytes.size() + open.pieces.size() * kPieceOverhead;
        open.bytes = {};
        open.pieces.clear();
        open.isTooLarge = true;
        return;
    }
    held_ += cost;
    open.pieces.emplace(sequence, Piece{open.bytes.size(), piece.size()});
    open.bytes.insert(open.bytes.end(), piece.begin(), piece.end());
}

void SnapshotPieces::addEnd(std::uint64_t key, std::uint32_t total, std::int64_t ticks) {
    if (const auto closed = endOfClosed_.find(key); closed != endOfClosed_.end() && !open_.contains(key)) {
        if (closed->second == total) return; // the same record again
    }
    const auto snapshot = opened(key);
    auto& open = snapshot->second;
    if (open.total && *open.total != total) open.isContradictory = true;
    open.total = total;
    open.ticks = ticks;
    closeIfWhole(snapshot);
}

void SnapshotPieces::closeIfWhole(OpenSnapshots::iterator snapshot) {
    const auto& open = snapshot->second;
    if (open.total && open.arrived >= *open.total) close(snapshot);
}

SnapshotState SnapshotPieces::stateOf(const Open& open) {
    if (open.isTooLarge) return SnapshotState::TooLarge;
    if (open.isContradictory) return SnapshotState::Contradictory;
    if (!open.total) return SnapshotState::NoEnd;
    if (open.arrived == *open.total) return SnapshotState::Whole;
    return open.arrived < *open.total ? SnapshotState::PiecesMissing : SnapshotState::Contradictory;
}

void SnapshotPieces::close(OpenSnapshots::iterator snapshot) {
    auto& [key, open] = *snapshot;
    SnapshotBytes whole{static_cast<std::uint32_t>(key >> 32),
                        static_cast<std::uint32_t>(key),
                        open.ticks,
                        stateOf(open),
                        open.arrived,
                        {}};
    held_ -= open.pieces.size() * kPieceOverhead;
    std::size_t next = 0;
    const bool isInOrder = std::ranges::all_of(open.pieces, [&](const auto& entry) {
        return std::exchange(next, next + entry.second.length) == entry.second.offset;
    });
    if (isInOrder) {
        whole.bytes = std::move(open.bytes);
    } else {
        whole.bytes.reserve(open.bytes.size());
        for (const auto& [sequence, piece] : open.pieces) {
            const auto from = open.bytes.begin() + static_cast<std::ptrdiff_t>(piece.offset);
            whole.bytes.insert(whole.bytes.end(), from, from + static_cast<std::ptrdiff_t>(piece.length));
        }
    }
    if (whole.state == SnapshotState::Whole) {
        if (endOfClosed_.size() >= kMostRemembered) endOfClosed_.clear();
        endOfClosed_[key] = *open.total;
    }
    open_.erase(snapshot);
    ready_.push_back(std::move(whole));
}

void SnapshotPieces::finish() {
    while (!open_.empty())
        close(open_.begin());
}

SnapshotBytes SnapshotPieces::takeReady() {
    auto snapshot = std::move(ready_.front());
    ready_.pop_front();
    held_ -= snapshot.bytes.size();
    return snapshot;
}

} // namespace highwater::decode
