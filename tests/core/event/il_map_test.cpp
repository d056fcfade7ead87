#include "core/event/il_map.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>
#include <random>

using namespace highwater;

namespace {

/// From the list as it arrived: the entry with IL that starts last at or before the offset; of several the last one.
std::optional<std::uint32_t> ilByRecount(const std::vector<IlMapEntry>& entries, std::uint32_t native) {
    const IlMapEntry* found = nullptr;
    for (const auto& entry : entries) {
        if (entry.ilOffset < 0 || entry.nativeOffset > native) continue;
        if (found == nullptr || entry.nativeOffset >= found->nativeOffset) found = &entry;
    }
    return found == nullptr ? std::nullopt : std::optional(static_cast<std::uint32_t>(found->ilOffset));
}

} // namespace

/// The IL offset of a method's code.
class IlMapTest : public QObject {
    Q_OBJECT
  private slots:
    void findsWhatARecountFinds() {
        for (unsigned seed = 1; seed <= 2000; ++seed) {
            std::mt19937 random(seed);
            std::vector<IlMapEntry> entries;
            const auto reach = random() % 3 == 0 ? 0xFFFFFFFFu : 300u;
            for (auto left = random() % 40; left > 0; --left) {
                const auto il = static_cast<std::int32_t>(random() % (random() % 5 == 0 ? 0x80000000u : 500u));
                entries.push_back({static_cast<std::uint32_t>(random() % reach),
                                   random() % 4 == 0 ? -1 - static_cast<std::int32_t>(random() % 3) : il});
            }
            const auto asCame = entries;
            const auto packed = packIlMap(entries);
            for (int question = 0; question < 50; ++question) {
                const auto native = static_cast<std::uint32_t>(random() % reach);
                QVERIFY2(ilOffsetAt(packed, native) == ilByRecount(asCame, native), qPrintable(QString::number(seed)));
            }
            for (const auto& entry : asCame)
                QVERIFY(ilOffsetAt(packed, entry.nativeOffset) == ilByRecount(asCame, entry.nativeOffset));
        }
    }
    void theLargestMapIsSmall() {
        std::vector<IlMapEntry> entries;
        for (std::uint32_t i = 0; i < 65535; ++i)
            entries.push_back({i * 7, static_cast<std::int32_t>(i * 3)});
        const auto packed = packIlMap(entries);
        QVERIFY2(packed.size() <= 2 * 65535, qPrintable(QString::number(packed.size())));
        QCOMPARE(ilOffsetAt(packed, 65534 * 7 + 100).value(), std::uint32_t{65534 * 3});
    }
    void damagedMapsSayNothing() {
        QVERIFY(!ilOffsetAt({}, 5));
        QVERIFY(!ilOffsetAt("\x80", 5));
        QVERIFY(!ilOffsetAt(std::string_view("\0", 1), 5));
        QVERIFY(!ilOffsetAt("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", std::numeric_limits<std::uint32_t>::max()));
    }
};
HIGHWATER_TEST(IlMapTest);
#include "il_map_test.moc"
