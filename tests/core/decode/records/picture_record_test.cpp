#include "core/decode/records/picture_record.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace highwater;
using namespace highwater::decode;

namespace {

using PicturePayloads = std::vector<std::vector<std::byte>>;

/// Blocks in order; each is held by an earlier one or by a root, and perhaps dominated by that or another one, or is
/// unreachable.
MemoryPicture randomPicture(std::mt19937_64& random, std::uint32_t blocks) {
    MemoryPicture picture;
    picture.pid = static_cast<std::uint32_t>(random());
    picture.names = {"", "app!g_sessions", "worker \xC3\xA4"};
    picture.rootBytes = random() % 1'000'000;
    picture.unreadBytes = random() % 3;
    picture.threads = static_cast<std::uint32_t>(random() % 70);
    picture.unreadThreads = static_cast<std::uint32_t>(random() % 2);
    picture.hasUnknownBlocks = random() % 2 == 0;
    for (std::uint32_t i = 0; i < 5; ++i)
        picture.roots.push_back({random() >> 17, random() >> 17, i % 3, static_cast<std::uint32_t>(random()),
                                 static_cast<std::uint32_t>(random() % 3), i < 3 ? PictureRoot::kNoParent : i - 3,
                                 static_cast<RootKind>(random() % kRootKinds)});
    Address end = 0x10000;
    std::vector<std::uint32_t> leaked, reached;
    const auto holderOf = [&](Reachability reachability) {
        if (reachability == Reachability::OnlyLeaked) return leaked[random() % leaked.size()];
        const auto pick = random() % (reached.size() + picture.roots.size());
        return pick < reached.size() ? reached[pick] : blocks + static_cast<std::uint32_t>(pick - reached.size());
    };
    for (std::uint32_t i = 0; i < blocks; ++i) {
        auto& block = picture.blocks.emplace_back();
        block.address = end + random() % 50;
        block.bytes = random() % (random() % 9 == 0 ? 1'000'000 : 100);
        end = block.address + block.bytes + 1;
        block.reachability = static_cast<Reachability>(random() % kReachabilities);
        const bool isReached = block.reachability <= Reachability::Possible;
        if (!isReached && leaked.empty()) block.reachability = Reachability::Unreachable;
        if (block.reachability != Reachability::Unreachable) {
            block.holder = holderOf(block.reachability);
            const auto dominator = random() % 3;
            if (dominator != 0) block.dominator = dominator == 1 ? block.holder : holderOf(block.reachability);
        }
        (isReached ? reached : leaked).push_back(i);
        if (random() % 3 == 0) block.type = 1 + static_cast<std::uint32_t>(random() % 200);
    }
    if (std::ranges::any_of(picture.blocks, [](const auto& block) { return block.type != 0; }))
        for (int i = 0; i < 200; ++i)
            picture.types.push_back("Type<" + std::to_string(i) + ", ...>");
    return picture;
}

struct PictureReading {
    std::vector<std::shared_ptr<MemoryPicture>> pictures;
    std::vector<std::int64_t> ticks;
    std::uint32_t dropped = 0;
};
PictureReading readPictures(const PicturePayloads& payloads) {
    PictureReading reading;
    PictureParts parts;
    for (const auto& payload : payloads) {
        etl::RawRecord record;
        record.payload = payload.data();
        record.payloadBytes = static_cast<std::uint32_t>(payload.size());
        auto outcome = parts.take(record, TraceTime{5});
        reading.dropped += outcome.dropped;
        if (!outcome.picture) continue;
        reading.pictures.push_back(std::move(outcome.picture));
        reading.ticks.push_back(outcome.ticks);
    }
    reading.dropped += parts.finish();
    return reading;
}

} // namespace

class PictureRecordTest : public QObject {
    Q_OBJECT

  private slots:
    void picturesAreReadAsTheyWereWritten() {
        std::mt19937_64 random(1);
        for (const std::uint32_t blocks : {0u, 1u, 2u, 50u, 3000u, 30'000u}) {
            const auto picture = randomPicture(random, blocks);
            const auto payloads = encodePicture(picture, 123'456'789, 1);
            QVERIFY(payloads.size() > 1 || blocks < 30'000);
            const auto read = readPictures(payloads);
            QCOMPARE(read.dropped, 0u);
            QCOMPARE(read.pictures.size(), std::size_t{1});
            QVERIFY(*read.pictures.front() == picture);
            QCOMPARE(read.ticks.front(), std::int64_t{123'456'789});
        }
    }
    /// Types follow the rest, and only in pictures that have some.
    void picturesFromBeforeTypesAreRead() {
        constexpr auto kBefore =
            QByteArrayView("0b 18 00 01 00 00 01 06 61 70 70 21 67 73 01 00 80 20 00 00 00 02 80 80 "
                           "01 10 04 03 08 20 06 00 81 d0 ff db 81 c0 96 dc 24");
        MemoryPicture picture;
        picture.names = {"app!gs"};
        picture.rootBytes = 24, picture.threads = 1;
        picture.roots = {{.address = 0x1000, .kind = RootKind::Variable}};
        picture.blocks = {
            {.address = 0x4000, .bytes = 16, .holder = 2, .dominator = 2, .reachability = Reachability::Reachable},
            {.address = 0x4018, .bytes = 32}};
        const auto written = encodePicture(picture, 11, 1).front();
        const QByteArray bytes(reinterpret_cast<const char*>(written.data()) + 16,
                               static_cast<qsizetype>(written.size()) - 16);
        QCOMPARE(bytes.toHex(' '), kBefore.toByteArray());
    }
    void anInvalidPictureIsNotWritten() {
        std::mt19937_64 random(2);
        auto picture = randomPicture(random, 10);
        picture.blocks[3].holder = 3;
        QVERIFY(encodePicture(picture, 1, 1).empty());
        QVERIFY(encodePicture(randomPicture(random, 10), -1, 1).empty());
    }
    void aLostPartDropsItsPictureOnly() {
        std::mt19937_64 random(3);
        auto payloads = encodePicture(randomPicture(random, 30'000), 1, 1);
        payloads.erase(payloads.begin() + 1);
        for (const auto& payload : encodePicture(randomPicture(random, 20), 2, 2))
            payloads.push_back(payload);
        const auto read = readPictures(payloads);
        QCOMPARE(read.dropped, 1u);
        QCOMPARE(read.pictures.size(), std::size_t{1});
        QCOMPARE(read.pictures.front()->blocks.size(), std::size_t{20});
    }
    /// A changed bit could make another valid picture.
    void damagedPicturesAreDropped() {
        std::mt19937_64 random(4);
        for (int i = 0; i < 3000; ++i) {
            auto payloads = encodePicture(randomPicture(random, 30), 1, 1);
            auto& payload = payloads.front();
            const auto before = payload;
            for (auto changes = 1 + random() % 3; changes > 0; --changes)
                payload[16 + random() % (payload.size() - 16)] = static_cast<std::byte>(random());
            if (random() % 4 == 0) payload.resize(16 + random() % (payload.size() - 16));
            if (payload == before) continue;
            const auto read = readPictures(payloads);
            QVERIFY(read.pictures.empty());
            QVERIFY(read.dropped >= 1);
        }
    }
    /// Counts of more objects than bytes follow would need memory without end.
    void aFewBytesNeedNoMuchMemory() {
        std::mt19937_64 random(5);
        auto payloads = encodePicture(MemoryPicture{}, 1, 1);
        auto& payload = payloads.front();
        payload.resize(16 + 7); // up to the number of blocks
        for (const auto byte : {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F})
            payload.push_back(static_cast<std::byte>(byte));
        QCOMPARE(readPictures(payloads).dropped, 1u);
    }
};

HIGHWATER_TEST(PictureRecordTest);
#include "picture_record_test.moc"
