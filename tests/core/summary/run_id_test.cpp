#include "core/summary/run_id.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <filesystem>
#include <vector>

using namespace highwater::summary;

namespace {

class RunIdTest : public QObject {
    Q_OBJECT

  private slots:
    void theSameWhereverItLiesAndWhateverItIsCalled() {
        write("a.etl", QByteArray(300'000, 'x'));
        write("b.bin", QByteArray(300'000, 'x'));
        QCOMPARE(idOf({"a.etl"}), idOf({"b.bin"}));
        QCOMPARE(idOf({"a.etl"}).size(), std::size_t{32});
    }
    void anotherSizeBeginOrEndIsAnotherRun() {
        auto bytes = QByteArray(300'000, 'x');
        write("a", bytes);
        write("longer", bytes + 'x');
        auto begin = bytes;
        begin[10] = 'y';
        write("begin", begin);
        auto end = bytes;
        end[299'999] = 'y';
        write("end", end);
        for (const auto* other : {"longer", "begin", "end"})
            QVERIFY2(idOf({"a"}) != idOf({other}), other);
    }
    void severalFilesAreOneRunInAnyOrder() {
        write("a", "one");
        write("b", "two");
        QCOMPARE(idOf({"a", "b"}), idOf({"b", "a"}));
        QVERIFY(idOf({"a", "b"}) != idOf({"a"}));
        QVERIFY(idOf({"a", "a"}) != idOf({"a"}));
    }
    /// Stores keep it. Expected value: `python3 -c "import hashlib; h = hashlib.sha256; b = b'one';
    /// print(h(h((3).to_bytes(8, 'little') + b + b).digest()).hexdigest()[:32])"`.
    void neverChanges() {
        write("a", "one");
        QCOMPARE(idOf({"a"}), std::string("51fd0b6b7c4f5808a6ced98243f8e485"));
    }
    void emptyAndMissingFiles() {
        write("empty", "");
        QCOMPARE(idOf({"empty"}).size(), std::size_t{32});
        const std::array missing{path("missing")};
        QVERIFY(!runIdOf(missing).hasValue());
    }

  private:
    std::filesystem::path path(const char* name) const {
        return std::filesystem::path(folder_.path().toStdString()) / name;
    }
    void write(const char* name, const QByteArray& bytes) const {
        QFile file(QString::fromStdString(path(name).string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    std::string idOf(const std::vector<const char*>& names) const {
        std::vector<std::filesystem::path> paths;
        for (const auto* name : names)
            paths.push_back(path(name));
        const auto id = runIdOf(paths);
        return id.hasValue() ? id.value() : "failed: " + id.error().message;
    }

    QTemporaryDir folder_;
};

HIGHWATER_TEST(RunIdTest);

} // namespace

#include "run_id_test.moc"
