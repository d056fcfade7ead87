#include "core/decode/snapshots/snapshot_pieces.h"
#include "core/event/opcodes.h"
#include "tests/core/decode/record_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

TestRecord pieceRecord(std::uint32_t pid, std::uint32_t instance, std::uint32_t sequence, std::string_view text) {
    PayloadBuilder payload(8);
    payload.u32(instance).u32(sequence).u32(static_cast<std::uint32_t>(text.size()));
    for (const char c : text)
        payload.u8(static_cast<unsigned char>(c));
    TestRecord record(payload);
    record.by(pid, 1).raw.eventId = heap_snapshot_event::kPiece;
    record.raw.ticks = 10 + sequence;
    return record;
}

TestRecord endRecord(std::uint32_t pid, std::uint32_t instance, std::uint32_t total, std::int64_t ticks = 100) {
    TestRecord record(PayloadBuilder(8).u32(instance).u32(total));
    record.by(pid, 1).raw.eventId = heap_snapshot_event::kEnd;
    record.raw.ticks = ticks;
    return record;
}

const char* name(SnapshotState state) {
    switch (state) {
    case SnapshotState::Whole:
        return "whole";
    case SnapshotState::PiecesMissing:
        return "pieces missing";
    case SnapshotState::NoEnd:
        return "no end";
    case SnapshotState::Contradictory:
        return "contradictory";
    case SnapshotState::TooLarge:
        break;
    }
    return "too large";
}

/// Prints "7/1@100 whole abc; ..."
std::string readyOf(SnapshotPieces& pieces) {
    std::string text;
    while (pieces.hasReady()) {
        const auto snapshot = pieces.takeReady();
        const std::string bytes(reinterpret_cast<const char*>(snapshot.bytes.data()), snapshot.bytes.size());
        text += fmt::format("{}{}/{}@{} {} {}", text.empty() ? "" : "; ", snapshot.pid, snapshot.instance,
                            snapshot.ticks, name(snapshot.state), bytes);
    }
    return text;
}

struct Stage {
    Stage& piece(std::uint32_t sequence, std::string_view text, std::uint32_t instance = 1, std::uint32_t pid = 7) {
        allTaken = pieces.add(pieceRecord(pid, instance, sequence, text).raw) && allTaken;
        return *this;
    }
    Stage& end(std::uint32_t total, std::uint32_t instance = 1, std::uint32_t pid = 7) {
        allTaken = pieces.add(endRecord(pid, instance, total).raw) && allTaken;
        return *this;
    }
    std::string ready() { return readyOf(pieces); }
    std::string rest() {
        pieces.finish();
        return readyOf(pieces);
    }
    SnapshotPieces pieces;
    bool allTaken = true;
};

} // namespace

class SnapshotPiecesTest : public QObject {
    Q_OBJECT

  private slots:
    void putsPiecesTogether() {
        Stage stage;
        stage.piece(0, "ab").piece(1, "").piece(2, "cde");
        QCOMPARE(stage.ready(), std::string());
        QCOMPARE(stage.end(5).ready(), std::string("7/1@100 whole abcde"));
        QCOMPARE(stage.rest(), std::string());
        QVERIFY(stage.allTaken);
    }

    void inAnyOrderAndTwice() {
        Stage stage;
        stage.piece(3, "de").piece(1, "ab").piece(3, "de").end(5).piece(1, "ab");
        QCOMPARE(stage.ready(), std::string());
        QCOMPARE(stage.piece(2, "c").ready(), std::string("7/1@100 whole abcde"));
        QCOMPARE(stage.end(5).rest(), std::string()); // the same end twice
    }

    void ofSeveralProcessesMixed() {
        Stage stage;
        stage.piece(0, "a").piece(0, "x", 1, 8).piece(0, "p", 2).piece(1, "b").piece(1, "y", 1, 8);
        stage.end(2, 1, 8).end(1, 2).end(2);
        QCOMPARE(stage.ready(), std::string("8/1@100 whole xy; 7/2@100 whole p; 7/1@100 whole ab"));
    }

    void whatIsNotWholeSaysWhy() {
        QCOMPARE((Stage().piece(0, "ab").end(5).rest()), std::string("7/1@100 pieces missing ab"));
        QCOMPARE((Stage().piece(0, "ab").piece(1, "c").rest()), std::string("7/1@11 no end abc"));
        QCOMPARE((Stage().piece(0, "abc").end(2).rest()), std::string("7/1@100 contradictory abc"));
        QCOMPARE((Stage().piece(0, "ab").piece(0, "xy").end(2).rest()), std::string("7/1@100 contradictory ab"));
        QCOMPARE((Stage().end(4).end(5).rest()), std::string("7/1@100 contradictory "));
        QCOMPARE((Stage().end(4).rest()), std::string("7/1@100 pieces missing "));
        QCOMPARE((Stage().end(0).rest()), std::string("7/1@100 whole "));
    }

    void aNumberThatIsGivenAgainBeginsTheNext() {
        Stage stage;
        stage.piece(0, "ab").end(2).piece(0, "xyz").end(3);
        QCOMPARE(stage.ready(), std::string("7/1@100 whole ab; 7/1@100 whole xyz"));
        stage.piece(0, "ab").end(5).piece(0, "xy").end(2); // the first of these lost a piece
        QCOMPARE(stage.ready(), std::string("7/1@100 pieces missing ab; 7/1@100 whole xy"));
    }

    void recordsThatAreTooShortAreNotTaken() {
        SnapshotPieces pieces;
        const auto whole = pieceRecord(7, 1, 0, "abc");
        for (std::uint32_t length = 0; length < whole.raw.payloadBytes; ++length) {
            auto record = whole.raw;
            record.payloadBytes = length;
            QVERIFY(!pieces.add(record));
        }
        auto end = endRecord(7, 1, 3);
        end.raw.payloadBytes = 7;
        QVERIFY(!pieces.add(end.raw));
        auto longer = PayloadBuilder(8).u32(1).u32(0).u32(0xFFFFFFFF).u32(0);
        TestRecord lying(longer);
        lying.raw.eventId = heap_snapshot_event::kPiece;
        QVERIFY(!pieces.add(lying.raw));
        auto other = whole.raw;
        other.eventId = 101;
        QVERIFY(pieces.add(other)); // skipped
        pieces.finish();
        QVERIFY(!pieces.hasReady());
    }

    void memoryHasAnEnd() {
        Stage stage;
        stage.pieces = SnapshotPieces({.bytes = 1000, .open = 3});
        const std::string large(600, 'x');
        stage.piece(0, large).piece(1, large).piece(2, "a").end(1201);
        QCOMPARE(stage.ready(), std::string("7/1@100 too large "));
        for (std::uint32_t pid = 1; pid <= 5; ++pid)
            stage.piece(0, "a", 1, pid);
        QCOMPARE(stage.ready(), std::string("1/1@10 no end a; 2/1@10 no end a"));
        stage.end(1, 1, 5);
        QCOMPARE(stage.ready(), std::string("5/1@100 whole a"));
        // Discarded pieces make room again.
        stage.piece(0, large.substr(0, 400)).end(400);
        QCOMPARE(stage.ready(), "7/1@100 whole " + large.substr(0, 400));
    }

    void anyOrderGivesTheSame() {
        std::mt19937_64 random(3);
        for (int round = 0; round < 300; ++round) {
            std::string whole;
            std::vector<TestRecord> records;
            const auto count = 1 + random() % 8;
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::string text(random() % 5, static_cast<char>('a' + i));
                records.push_back(pieceRecord(7, 1, i, text));
                if (random() % 3 == 0) records.push_back(pieceRecord(7, 1, i, text));
                whole += text;
            }
            records.push_back(endRecord(7, 1, static_cast<std::uint32_t>(whole.size())));
            std::shuffle(records.begin(), records.end(), random);
            SnapshotPieces pieces;
            for (const auto& record : records)
                QVERIFY(pieces.add(record.raw));
            const auto first = readyOf(pieces);
            // Empty and repeated pieces may follow: they start snapshots that never end.
            QCOMPARE(first, "7/1@100 whole " + whole);
            pieces.finish();
            while (pieces.hasReady())
                QCOMPARE(pieces.takeReady().state, SnapshotState::NoEnd);
        }
    }
};

HIGHWATER_TEST(SnapshotPiecesTest);
#include "snapshot_pieces_test.moc"
