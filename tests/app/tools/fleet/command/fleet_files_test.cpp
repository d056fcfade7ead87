#include "app/tools/fleet/command/fleet_files.h"

#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <QTest>

#include <string>
#include <vector>

using namespace highwater;

namespace {

class FleetFilesTest : public QObject {
    Q_OBJECT

  private slots:
    void aFileThatIsNamedTwiceIsListedOnce() {
        const std::vector<std::string> named{"/nowhere/b.etl", "/nowhere/a.etl", "/nowhere/b.etl"};
        const auto files = cli::filesOfTraces(named);
        QVERIFY(files.hasValue());
        QCOMPARE(files.value(), (std::vector<std::string>{"/nowhere/b.etl", "/nowhere/a.etl"}));
    }
    void workGrowsWithTheList() {
        const auto ratio = tests::workRatio(2'000, [](std::size_t count) {
            std::vector<std::string> named;
            for (std::size_t i = 0; i < count; ++i)
                named.push_back("/nowhere/" + std::to_string(i) + ".etl");
            if (cli::filesOfTraces(named).value().size() != count) qFatal("a file is missing");
        });
        QVERIFY2(ratio < tests::kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
};

} // namespace

HIGHWATER_TEST(FleetFilesTest);
#include "fleet_files_test.moc"
