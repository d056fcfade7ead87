#include "app/cli/command_line.h"
#include "app/cli/questions/trace_question.h"
#include "app/pages/page_context.h"
#include "app/window/main_window.h"
#include "app/window/page_list.h"
#include "tests/app/tools/rows_page.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// The tool on the command line: the rows of a heap, counted.
class RowsQuestion final : public cli::TraceQuestion {
  public:
    std::optional<Error> wrongUsage() override { return std::nullopt; }
    std::optional<Error> prepare(const store::PublishedTrace& /*trace*/, const TraceNotes& /*notes*/) override {
        return std::nullopt;
    }
    [[nodiscard]] bool needsNames() const override { return false; }
    Result<std::string> answer(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                               std::ostream& out) override {
        const auto count = TRY(countRows(trace, labels, {}, {}));
        out << count << " rows\n";
        return std::string();
    }
    [[nodiscard]] analysis::Table table() const override { return analysis::Table::Heap; }
};

cli::Command rowsCommand(CLI::App& app) {
    auto& command = *app.add_subcommand("rows", "Count the rows of a heap trace");
    const auto question = std::make_shared<RowsQuestion>();
    command.add_option("TRACE", question->request.traces)->required();
    return asking(command, question);
}

app::Page* rowsPage(const app::PageContext& context) {
    return new RowsPage(context.tabs, context.window);
}

/// The answer of highwater-cli with all tools, and this one.
std::string answerOf(std::vector<std::string> arguments) {
    std::ostringstream answers;
    std::ostringstream messages;
    auto tools = cli::toolCommands();
    tools.push_back(rowsCommand);
    (void)cli::runCommandLine(std::move(arguments), {answers, messages}, tools);
    return std::move(answers).str();
}

QStringList textsOf(const QMenu& menu) {
    QStringList texts;
    for (const auto* action : menu.actions())
        texts << action->text().remove('&');
    return texts;
}

} // namespace

/// A tool is a folder and a line of app/tools/tools.h: this one exists only in this test, in both programs.
class OneMoreToolTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path_.toStdString()).hasValue());
    }

    void isACommand() {
        QVERIFY(QString::fromStdString(answerOf({"--help"})).contains("Count the rows of a heap trace"));
        const auto answer = QString::fromStdString(answerOf({"rows", path_.toStdString()}));
        QVERIFY2(answer.endsWith(" rows\n") && answer != "0 rows\n", qPrintable(answer));
    }
    void isAPage() {
        app::ApplicationSettings settings(folder_.filePath("settings.ini"));
        auto pages = app::toolPages();
        pages.push_back(rowsPage);
        app::MainWindow window(settings, nullptr, {}, app::openSystemFleet, pages);
        window.show();
        QStringList view;
        for (auto* menu : window.menuBar()->actions()) {
            if (menu->text().remove('&') == "View") view = textsOf(*menu->menu());
        }
        QVERIFY2(view.contains("Rows"), qPrintable(view.join(", ")));
        QVERIFY(view.indexOf("Rows") > view.indexOf("Address Map"));

        window.openTrace({path_});
        const auto* line = window.findChild<QDockWidget*>("rowsDock")->widget()->findChild<QLabel*>();
        window.findChild<QAction*>("toggleRows")->trigger();
        QTRY_VERIFY(line->isVisible());
        QTRY_VERIFY(window.isSettled());
        window.tabs().current().showGraph(analysis::Table::Heap);
        QTRY_COMPARE(line->text(), QString::fromStdString(answerOf({"rows", path_.toStdString()})).trimmed());
    }
};

HIGHWATER_TEST(OneMoreToolTest);
#include "one_more_tool_test.moc"
