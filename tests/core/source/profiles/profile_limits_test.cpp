#include "core/source/profiles/profile.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>

using namespace highwater;
using namespace highwater::tests;

namespace {

std::string manyOf(std::string_view head, std::string_view unit, std::size_t count, std::string_view end = {}) {
    std::string text(head);
    text.reserve(head.size() + unit.size() * count + end.size());
    for (std::size_t i = 0; i < count; ++i)
        text += unit;
    return text.append(end);
}

} // namespace

/// A packed file of some kilobytes may contain any number of stacks: it is refused before it uses up the memory.
class ProfileLimitsTest : public QObject {
    Q_OBJECT
  private slots:
    void refusesMoreStacksThanAnyProgramHas_data() {
        QTest::addColumn<std::string>("text");
        const auto most = source::kMostProfileSamples + 1;
        QTest::newRow("text") << manyOf("heap_v2/1\n", "@ 0x1\nt*:1:1[1:1]\n", most);
        QTest::newRow("DHAT") << manyOf("{\"dhatFileVersion\":2,\"mode\":\"heap\",\"pps\":[{}", ",{\"tb\":1,\"tbk\":1}",
                                        most, "],\"ftbl\":[\"[root]\"]}");
        // A sample of the value 5, and at the end the one text that it needs.
        QTest::newRow("pprof") << manyOf(std::string("\x0A\x02\x08\x01", 4), "\x12\x02\x10\x05", most,
                                         std::string("\x32\x00\x32\x0Binuse_space", 15));
        const std::string call = "{\"callFrame\":{\"functionName\":\"f\"},\"selfSize\":1";
        QTest::newRow("V8, frames") << manyOf(
            manyOf("{\"head\":" + call, ",\"children\":[" + call, 1000, ",\"children\":["), call + "},", 70'000);
    }
    void refusesMoreStacksThanAnyProgramHas() {
        QFETCH(std::string, text);
        QCOMPARE(
            openText(text).error,
            std::string("a.file has more stacks, frames or names than Highwater reads from a profile. The limits are "
                        "2,097,152 stacks, 33,554,432 frames in them, and 256.0 MB of data that they refer to."));
    }
    /// The JSON parser copies a token several times.
    void refusesTextsWithoutEnd_data() {
        QTest::addColumn<std::string>("text");
        const std::string head = "{\"dhatFileVersion\":2,\"mode\":\"heap\",", text((16 << 20) + 1, '1');
        QTest::newRow("text") << head + "\"cmd\":\"" + text;
        QTest::newRow("text with marks") << head + "\"cmd\":\",," + text + "\\\"";
        QTest::newRow("number") << head + "\"te\":" + text + "}";
        QTest::newRow("V8") << "{\"head\":{\"callFrame\":{\"functionName\":\"" + text + "\"}}}";
    }
    void refusesTextsWithoutEnd() {
        QFETCH(std::string, text);
        QCOMPARE(openText(text).error,
                 std::string("a.file contains a string or number of more than 16 MB, which no profiler writes."));
    }
};

HIGHWATER_TEST(ProfileLimitsTest);
#include "profile_limits_test.moc"
