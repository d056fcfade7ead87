#include "core/symbols/store/cabinet_file.h"
#include "core/symbols/store/name_cache.h"
#include "core/symbols/store/part_file.h"
#include "core/symbols/store/symbol_fetcher.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace highwater;
using namespace highwater::symbols;
namespace fs = std::filesystem;

namespace {

std::string rightsOf(const fs::path& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return "not there";
    return QString::number(found.st_mode & 0777, 8).toStdString();
}

/// A cabinet with one file of one byte, stored without compression.
QByteArray smallCabinet() {
    return QByteArray::fromHex("4d5343460000000047000000000000002c00000000000000030101000100000000000000"
                               "3e00000001000000010000000000000000000000000000006100000000000100010078");
}

} // namespace

/// Cached symbols of other vendors and cached names reveal which programs ran here, so only the user may read them,
/// even where new files are readable by all.
class PrivateCacheTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        mask_ = ::umask(022);
        folder_ = std::make_unique<QTemporaryDir>();
        root_ = folder_->path().toStdString();
    }
    void cleanup() { ::umask(mask_); }

    void keepsNamesToTheUser() {
        SymbolIdentity identity;
        identity.buildId = "0123456789abcdef";
        const auto names = root_ / "cache/names";
        QVERIFY(NameCache(names).save(identity, {}).hasValue());
        QCOMPARE(rightsOf(root_ / "cache"), std::string("700"));
        QCOMPARE(rightsOf(names), std::string("700"));
        for (const auto& entry : fs::directory_iterator(names))
            QCOMPARE(rightsOf(entry.path()), std::string("600"));
        QVERIFY(NameCache(names).load(identity).has_value());
    }
    void closesAFolderOfNamesThatOthersCouldRead() {
        SymbolIdentity identity;
        identity.buildId = "0123456789abcdef";
        fs::create_directories(root_ / "shared/names");
        QCOMPARE(rightsOf(root_ / "shared/names"), std::string("755"));
        QVERIFY(NameCache(root_ / "shared/names").save(identity, {}).hasValue());
        QCOMPARE(rightsOf(root_ / "shared/names"), std::string("700"));
        QCOMPARE(rightsOf(root_ / "shared"), std::string("755")); // the user's own
        fs::permissions(root_ / "shared/names", fs::perms(0755));
        QVERIFY(NameCache(root_ / "shared/names").load(identity).has_value());
        QCOMPARE(rightsOf(root_ / "shared/names"), std::string("700"));
    }
    void keepsTagsToTheUser() {
        auto part = PartFile::open(root_ / "x.pdb", "0123456789abcdef");
        part.restart("\"tag\"");
        QCOMPARE(rightsOf(root_ / "x.pdb.0123456789abcdef.tag"), std::string("600"));
        QCOMPARE(rightsOf(part.path()), std::string("600"));
        part.restart("other");
        QFile tag(folder_->filePath("x.pdb.0123456789abcdef.tag"));
        QVERIFY(tag.open(QIODevice::ReadOnly));
        QCOMPARE(tag.readAll(), QByteArray("other\n"));
    }
    void keepsWhatWasUnpackedToTheUser() {
        const auto packed = root_ / "x.pd_";
        QFile file(QString::fromStdString(packed.string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(smallCabinet());
        file.close();
        fs::create_directories(root_ / "shared");
        const auto target = root_ / "shared/x.pdb/0123/x.pdb";
        const auto unpacked = unpackCabinet(packed, target);
        QVERIFY2(unpacked.hasValue(), unpacked.hasValue() ? "" : unpacked.error().message.c_str());
        QCOMPARE(rightsOf(target), std::string("600"));
        QCOMPARE(rightsOf(target.parent_path()), std::string("700"));
        QCOMPARE(rightsOf(root_ / "shared"), std::string("755")); // the user's own
    }
    void keepsDownloadsToTheUser() {
        fs::create_directories(root_ / "shared");
        SymbolFetcher fetcher(FetchOptions{std::chrono::milliseconds(500), std::chrono::milliseconds(500), 1});
        Progress progress;
        const auto target = root_ / "shared/x.pdb/0123/x.pdb";
        (void)fetcher.fetch("http://127.0.0.1:1/x", target, [](const auto&) { return Result<void>(); }, progress, {});
        QCOMPARE(rightsOf(target.parent_path()), std::string("700"));
        QCOMPARE(rightsOf(root_ / "shared"), std::string("755"));
    }

  private:
    std::unique_ptr<QTemporaryDir> folder_;
    fs::path root_;
    mode_t mask_ = 0;
};
HIGHWATER_TEST(PrivateCacheTest);
#include "private_cache_test_linux.moc"
