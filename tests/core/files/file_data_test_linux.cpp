#include "core/files/file_data.h"

#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <span>
#include <unistd.h>

using namespace highwater;

namespace {

constexpr std::uint64_t kPart = 64 << 10, kHole = 4 << 20;

} // namespace

class FileDataTest : public QObject {
    Q_OBJECT

  private slots:
    void dataIsFoundBetweenHoles() {
        const auto parts = dataIn(written(3));
        if (parts.size() == 1) QSKIP("this file system has no holes");
        QCOMPARE(parts.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) {
            const auto begin = (i + 1) * kHole + i * kPart;
            QVERIFY(parts[i].begin <= begin && parts[i].begin > begin - kPart);
            QVERIFY(parts[i].end >= begin + kPart && parts[i].end < begin + 2 * kPart);
        }
    }
    void manyPartsAreJoined() {
        const auto parts = dataIn(written(5), 2);
        QVERIFY(parts.size() <= 2);
        QCOMPARE(parts.back().end, 5 * (kPart + kHole) + kHole);
    }
    void zerosMayBeHoles() {
        std::string bytes(1000, char{});
        const auto are = [&] { return areZeros(std::as_bytes(std::span(bytes))); };
        QVERIFY(are());
        for (const auto at : {0, 1, 500, 999}) {
            bytes[static_cast<std::size_t>(at)] = 1;
            QVERIFY(!are());
            bytes[static_cast<std::size_t>(at)] = 0;
        }
        QVERIFY(areZeros({}));
    }
    void nothingIsInAMissingFile() { QVERIFY(dataIn("/no/such/file").empty()); }

  private:
    /// Holes, and parts with data between them.
    std::string written(std::size_t parts) {
        const auto path = folder_.filePath("sparse").toStdString();
        const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
        const std::string data(kPart, 'x');
        for (std::size_t i = 0; i < parts; ++i)
            if (::pwrite(file, data.data(), data.size(), static_cast<off_t>((i + 1) * kHole + i * kPart)) < 0)
                qFatal("pwrite");
        if (::ftruncate(file, static_cast<off_t>(parts * (kPart + kHole) + kHole)) != 0) qFatal("ftruncate");
        ::close(file);
        return path;
    }

    QTemporaryDir folder_;
};

HIGHWATER_TEST(FileDataTest);
#include "file_data_test_linux.moc"
