#include "core/source/profiles/packed_stream.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <span>
#include <string>

using namespace highwater;
using namespace highwater::tests;

namespace {

std::string number(std::uint32_t value, int bytes) {
    std::string text;
    for (; bytes > 0; --bytes, value >>= 8)
        text += static_cast<char>(value);
    return text;
}

/// An uncompressed Zstandard frame (RFC 8878, 3.1.1): blocks of at most 128 KB after a window of 2^log.
std::string zstdFrame(std::string_view text, unsigned windowLog) {
    constexpr std::size_t kMostOfBlock = 128 << 10;
    auto frame = number(0xFD2FB528u, 4) + number(0, 1) + number((windowLog - 10) << 3, 1);
    do {
        const auto part = text.substr(0, kMostOfBlock);
        text.remove_prefix(part.size());
        frame += number((text.empty() ? 1u : 0u) | static_cast<std::uint32_t>(part.size()) << 3, 3);
        frame += part;
    } while (!text.empty());
    return frame;
}
std::string skippableFrame(std::string_view text) {
    return number(0x184D2A5Au, 4) + number(static_cast<std::uint32_t>(text.size()), 4).append(text);
}

struct Read {
    std::string text;
    bool isBroken = false;
};
Read readAll(const std::string& file) {
    const auto bytes = bytesOfText(file);
    auto stream = source::PackedStream::open(bytes, "a.file");
    if (!stream.hasValue()) return {stream.error().message, true};
    Read read;
    std::string room(1000, '\0');
    while (const auto count = stream.value()->read(std::as_writable_bytes(std::span(room))))
        read.text.append(room, 0, count);
    read.isBroken = stream.value()->isBroken();
    return read;
}

} // namespace

class PackedStreamTest : public QObject {
    Q_OBJECT
  private slots:
    void unpacksZstandardOfAllKinds_data() {
        QTest::addColumn<std::string>("file");
        const std::string first(300'000, 'a'), second = "the rest";
        QTest::newRow("two frames") << zstdFrame(first, 20) + zstdFrame(second, 20);
        QTest::newRow("zstd --long=31") << zstdFrame(first + second, 31);
        QTest::newRow("a frame to be skipped first, as pzstd has it")
            << skippableFrame("1234") + zstdFrame(first, 20) + skippableFrame("1234") + zstdFrame(second, 27);
        QTest::newRow("one to be skipped last, as seekable files have it")
            << zstdFrame(first + second, 20) + skippableFrame(std::string(5000, 'x'));
        QTest::newRow("empty frames") << zstdFrame({}, 10) + zstdFrame(first + second, 20) + zstdFrame({}, 10);
    }
    void unpacksZstandardOfAllKinds() {
        QFETCH(std::string, file);
        const auto read = readAll(file);
        if (read.text.find("does not unpack on Windows") != std::string::npos) QSKIP("There is no library for it.");
        QCOMPARE(read.text, std::string(300'000, 'a') + "the rest");
        QVERIFY(!read.isBroken);
    }
    void saysWhatIsBroken() {
        const auto whole = zstdFrame("text", 20);
        QVERIFY(readAll(whole.substr(0, whole.size() - 1)).isBroken || readAll(whole).text != "text");
        QVERIFY(readAll(whole + "no frame").isBroken);
    }
};

HIGHWATER_TEST(PackedStreamTest);
#include "packed_stream_test.moc"
