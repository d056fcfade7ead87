#include "app/recording/record_controller.h"
#include "app/recording/record_requests.h"
#include "app/settings/application_settings.h"
#include "app/settings/display.h"
#include "app/settings/theme.h"
#include "app/window/arguments.h"
#include "app/window/main_window.h"
#include "app/window/manual_page.h"
#include "app/window/screenshot.h"
#include "core/base/huge_pages.h"
#include "core/base/text.h"
#include "core/files/column_memory.h"
#include "core/files/file_limits.h"
#include "core/files/library_search.h"
#include "core/log/log.h"
#include "core/log/log_session.h"
#include "core/symbols/places/symbol_path.h"

#include <QApplication>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

using namespace highwater;

namespace {

bool isAnsweredByText(const app::Arguments& arguments) {
    return arguments.showsHelp || arguments.showsVersion || arguments.showsManual;
}

void answerByText(const app::Arguments& arguments) {
    std::string text = "Highwater " HIGHWATER_VERSION "\n";
    if (arguments.showsHelp)
        text = app::usage().toStdString();
    else if (arguments.showsManual)
        text = app::manualPage(HIGHWATER_VERSION);
    std::fputs(text.c_str(), stdout);
}

} // namespace

int main(int argc, char** argv) {
    searchOnlyTrustedFolders(); // before Qt loads its plugins
    reportFileLimits();
    releaseLargeMemoryImmediately();
    const auto parsed = app::parseArguments(app::withoutOptionsOfQt(app::typedWords(argc, argv)));
    if (!parsed.hasValue()) {
        std::fprintf(stderr, "highwater: %s\nSee highwater --help for usage.\n",
                     printable(parsed.error().message).c_str());
        return 1;
    }
    const auto& arguments = parsed.value();
    if (isAnsweredByText(arguments)) {
        answerByText(arguments);
        return 0;
    }
    if (!arguments.screenshot.isEmpty()) app::drawWithoutDisplay();
    std::optional<app::DisplayWatch> display(std::in_place);
    auto wordsForQt = app::wordsForQt(argc, argv);
    QApplication application(wordsForQt, argv);
    display->requireScreen();
    display.reset();
    QApplication::setApplicationName(QStringLiteral("Highwater"));
    QApplication::setApplicationVersion(QStringLiteral(HIGHWATER_VERSION));
    // The name of the installed desktop entry, which provides the name and icon in Linux window lists.
    QGuiApplication::setDesktopFileName(QStringLiteral("highwater"));
    const LogSession session(logSettings(symbols::systemEnvironment(), arguments.logLevel));
    log(LogLevel::Information, LogArea::Program, "Highwater " HIGHWATER_VERSION);
    app::ApplicationSettings settings;
    setColumnMemoryBudget(settings.memoryBudget());
    app::applyTheme(arguments.theme.value_or(settings.theme()));
    app::MainWindow window(settings);
    if (arguments.size.isValid())
        window.resize(arguments.size);
    else if (arguments.screenshot.isEmpty())
        window.fitOnScreen();
    std::unique_ptr<app::Screenshot> screenshot;
    if (!arguments.screenshot.isEmpty()) screenshot = std::make_unique<app::Screenshot>(window, arguments.screenshot);
    window.setStartView(arguments.view);
    window.show();
    const bool showsFiles = window.openFiles(arguments.profiles + arguments.traces);
    if (!arguments.fleet.isEmpty()) window.openFleet(arguments.fleet);
    if (!arguments.record.isEmpty()) window.recordController().start(app::choicesOf(arguments.record));
    if (arguments.asksWhatToRecord) window.recordController().ask();
    const bool opensSomething = showsFiles || !arguments.record.isEmpty() || !arguments.fleet.isEmpty();
    if (screenshot && !opensSomething) screenshot->takeSoon();
    return QApplication::exec();
}
