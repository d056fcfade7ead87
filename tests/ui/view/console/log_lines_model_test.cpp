#include "ui/view/console/log_lines_model.h"

#include "core/log/log.h"
#include "core/log/log_session.h"
#include "tests/support/test_registry.h"
#include "ui/view/console/log_filter.h"

#include <QAbstractItemModelTester>
#include <QTest>

#include <thread>

using namespace highwater;
using namespace highwater::ui;

class LogLinesModelTest : public QObject {
    Q_OBJECT

    static QString cell(const LogLinesModel& model, int row, int column) {
        return model.index(row, column).data().toString();
    }

  private slots:
    void linesBecomeRows() {
        const LogSession session({});
        log(LogLevel::Information, LogArea::Open, "before the model");
        LogLinesModel model;
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 1);
        log(LogLevel::Warning, LogArea::Symbols, "a.pdb: damaged");
        QTRY_COMPARE(model.rowCount(), 2);
        QCOMPARE(cell(model, 0, LogLinesModel::kSentence), "before the model");
        QCOMPARE(cell(model, 1, LogLinesModel::kLevel), "warning");
        QCOMPARE(cell(model, 1, LogLinesModel::kArea), "symbols");
        QCOMPARE(model.index(1, 0).data(LogLinesModel::kLevelRole).toInt(), static_cast<int>(LogLevel::Warning));
        QVERIFY(model.lineText(1).endsWith("\twarning\tsymbols\ta.pdb: damaged"));
        QVERIFY(!model.index(2, 0).isValid());
        QVERIFY(model.lineText(2).isEmpty());
    }
    void onlyTheNewestStay() {
        const LogSession session({});
        LogLinesModel model(nullptr, 100);
        const QAbstractItemModelTester tester(&model);
        for (int i = 0; i < 60; ++i)
            log(LogLevel::Information, LogArea::Open, std::to_string(i));
        model.takeNew();
        for (int i = 60; i < 150; ++i)
            log(LogLevel::Information, LogArea::Open, std::to_string(i));
        model.takeNew();
        QCOMPARE(model.rowCount(), 100);
        QCOMPARE(cell(model, 0, LogLinesModel::kSentence), "50");
        QCOMPARE(cell(model, 99, LogLinesModel::kSentence), "149");
        for (int i = 0; i < 1000; ++i) // more than are kept, at once
            log(LogLevel::Information, LogArea::Open, std::to_string(i));
        model.takeNew();
        QCOMPARE(model.rowCount(), 100);
        QCOMPARE(cell(model, 0, LogLinesModel::kSentence), "900");
    }
    void linesOfOtherThreadsComeInBatches() {
        constexpr int kThreads = 4, kLines = 200;
        const LogSession session({});
        LogLinesModel model;
        const QAbstractItemModelTester tester(&model);
        int batches = 0;
        connect(&model, &QAbstractItemModel::rowsInserted, this, [&] { ++batches; });
        std::vector<std::jthread> threads;
        for (int i = 0; i < kThreads; ++i) {
            threads.emplace_back([] {
                for (int line = 0; line < kLines; ++line)
                    log(LogLevel::Information, LogArea::Open, "a line");
            });
        }
        threads.clear(); // nothing was fetched meanwhile, and no thread waited for that
        QCOMPARE(model.rowCount(), 0);
        QTRY_COMPARE(model.rowCount(), kThreads * kLines);
        QCOMPARE(batches, 1);
    }
    void theFilterMatchesLevelsAndText() {
        const LogSession session({LogLevel::Debug});
        LogLinesModel model;
        log(LogLevel::Debug, LogArea::Symbols, "b.pdb: not there");
        log(LogLevel::Information, LogArea::Open, "Read A.etl");
        log(LogLevel::Error, LogArea::Save, "Cannot save a.etl");
        model.takeNew();
        LogFilter filter;
        const QAbstractItemModelTester tester(&filter);
        filter.setSourceModel(&model);
        QCOMPARE(filter.rowCount(), 3);
        filter.setLeast(LogLevel::Information);
        QCOMPARE(filter.rowCount(), 2);
        filter.setText("a.ETL");
        QCOMPARE(filter.rowCount(), 2);
        filter.setText("save");
        QCOMPARE(filter.rowCount(), 1);
        filter.setLeast(LogLevel::Debug);
        filter.setText("symbols"); // an area
        QCOMPARE(filter.rowCount(), 1);
    }
};
HIGHWATER_TEST(LogLinesModelTest);
#include "log_lines_model_test.moc"
