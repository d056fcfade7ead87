#include "core/pipeline/index/trace_index_cache.h"

#include "tests/core/pipeline/index/index_stage.h"
#include "tests/support/test_registry.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace highwater;
namespace fs = std::filesystem;

/// Which owners' index files are trusted.
class TraceIndexTrustTest : public QObject {
    Q_OBJECT
  private slots:
    /// An index that another user could have written is not used: the trace is read again, and replaces it.
    void isNotBelievedWhenOthersCanHaveWrittenIt_data() {
        QTest::addColumn<QString>("how");
        for (const auto* how : {"others may write it", "its group may write it", "link", "folder of all", "pipe",
                                "another user's", "another user's folder"})
            QTest::newRow(how) << how;
    }
    void isNotBelievedWhenOthersCanHaveWrittenIt() {
        QFETCH(QString, how);
        const IndexStage stage;
        stage.open(stage.options());
        const auto index = stage.index();
        QVERIFY(stage.find().has_value());
        const bool needsRoot = how.startsWith("another user's");
        if (needsRoot && ::geteuid() != 0) QSKIP("Only root gives a file to another user.");
        constexpr ::uid_t kSomebody = 12345;
        if (how == "others may write it") ::chmod(index.c_str(), 0606);
        if (how == "its group may write it") ::chmod(index.c_str(), 0660);
        if (how == "folder of all") ::chmod(stage.indexes().c_str(), 0777);
        if (how == "another user's") QCOMPARE(::chown(index.c_str(), kSomebody, kSomebody), 0);
        if (how == "another user's folder") QCOMPARE(::chown(stage.indexes().c_str(), kSomebody, kSomebody), 0);
        if (how == "link") {
            const auto elsewhere = stage.trace().parent_path() / "elsewhere";
            fs::rename(index, elsewhere);
            fs::create_symlink(elsewhere, index);
        }
        if (how == "pipe") {
            fs::remove(index);
            QCOMPARE(::mkfifo(index.c_str(), 0600), 0);
        }
        QVERIFY(!stage.find().has_value());
        if (how == "another user's folder") return; // its owner never becomes this user
        stage.open(stage.options());
        QVERIFY(stage.find().has_value());
    }
};
HIGHWATER_TEST(TraceIndexTrustTest);
#include "trace_index_trust_test_linux.moc"
