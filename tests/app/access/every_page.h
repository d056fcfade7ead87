#pragma once

#include "app/recording/record_controller.h"
#include "app/tools/difference/page/difference_view.h"
#include "app/tools/fleet/page/fleet_chart.h"
#include "app/tools/fleet/page/fleet_view.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/app/tools/fleet/page/fake_fleet.h"
#include "tests/fixtures/exercise2.h"
#include "ui/view/recording/record_page.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QTreeView>

#include <functional>
#include <vector>

namespace highwater::tests {

/// Constructed before the window, and destroyed after it.
struct FleetOfPages {
    FakeFleet fleet;
};

/// The window, and a way to each of its pages; the trace is that of Exercise 2.
class EveryPage : private FleetOfPages, public WindowStage {
  public:
    struct Page {
        const char* name;
        bool (EveryPage::*go)();
    };
    static const std::vector<Page>& pages() {
        static const std::vector<Page> all{{"start page", &EveryPage::start},
                                           {"opened trace", &EveryPage::openTrace},
                                           {"record page", &EveryPage::record},
                                           {"leaks", &EveryPage::leaks},
                                           {"generations", &EveryPage::generations},
                                           {"compare", &EveryPage::compare},
                                           {"flames", &EveryPage::flames},
                                           {"histogram", &EveryPage::histogram},
                                           {"callers", &EveryPage::callers},
                                           {"heaps", &EveryPage::heaps},
                                           {"held by", &EveryPage::heldBy},
                                           {"addresses", &EveryPage::addresses},
                                           {"resident memory", &EveryPage::balance},
                                           {"modules", &EveryPage::modules},
                                           {"log", &EveryPage::log},
                                           {"fleet", &EveryPage::fleetPage},
                                           {"find and filter", &EveryPage::find}};
        return all;
    }

    explicit EveryPage(QString trace) : WindowStage(ui::SymbolChoices(), {}, fleet.opener()), trace_(std::move(trace)) {
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
    }

    bool start() { return true; }
    bool openTrace() { return open({trace_}) && showOnly(analysis::Table::Heap) && waitForNames(); }
    bool record() {
        window.recordController().ask();
        auto* page = window.findChild<ui::RecordPage*>();
        return page != nullptr && QTest::qWaitForWindowActive(page);
    }
    bool leaks() { return openTrace() && show("toggleLeaks"); }
    bool severalPages() {
        return openTrace() && show("toggleHistogram") && show("toggleGenerations") && show("toggleLeaks");
    }
    bool generations() { return openTrace() && show("toggleGenerations"); }
    bool histogram() { return openTrace() && show("toggleHistogram"); }
    bool callers() { return openTrace() && show("toggleCallers"); }
    bool balance() { return openTrace() && show("toggleBalance"); }
    bool heldBy() { return openTrace() && show("toggleHeldBy"); }
    bool heaps() { return openTrace() && show("toggleHeaps"); }
    bool addresses() { return openTrace() && show("toggleAddressMap"); }
    bool modules() { return openTrace() && show("toggleModules"); }
    bool log() { return openTrace() && show("toggleDiagnosticConsole"); }
    bool fleetPage() {
        window.openFleet("/a/fleet.sqlite");
        auto* view = window.findChild<ui::FleetView*>();
        return view && QTest::qWaitFor([&] { return view->chart().history() != nullptr; }, 10'000);
    }
    bool flames() {
        if (!openTrace()) return false;
        panel().graph().setChart(ui::ChartType::Flames);
        return wait();
    }
    bool find() {
        if (!openTrace()) return false;
        panel().graph().addFilter(
            {.clause = {},
             .text = "[Size]:>1B",
             .query = analysis::QueryExpression::parse(analysis::Table::Heap, "[Size]:>1B").value()});
        if (!wait()) return false;
        window.findChild<QAction*>("find")->trigger();
        return true;
    }
    bool compare() {
        if (!openTrace()) return false;
        window.findChild<QAction*>("compareWith")->trigger();
        auto* dialog = window.findChild<QFileDialog*>("compareDialog");
        auto* name = dialog == nullptr ? nullptr : dialog->findChild<QLineEdit*>("fileNameEdit");
        if (name == nullptr) return false;
        name->setText(trace_);
        QTest::keyClick(name, Qt::Key_Return);
        auto* view = window.findChild<ui::DifferenceView*>();
        return view && QTest::qWaitFor([&] { return view->tree().model()->rowCount() > 0; }, 10'000);
    }

    bool goTo(const char* name) {
        for (const auto& page : pages()) {
            if (qstrcmp(page.name, name) != 0) continue;
            const bool isThere = (this->*page.go)();
            QApplication::setActiveWindow(&topWindow()); // without a window manager nothing else does this
            return isThere;
        }
        return false;
    }
    /// The window that has the keyboard: the main window, or the page over it.
    QWidget& topWindow() {
        auto* page = window.findChild<ui::RecordPage*>();
        return page && page->isVisible() ? static_cast<QWidget&>(*page) : window;
    }

  private:
    bool waitForNames() {
        return QTest::qWaitFor([this] { return !window.findChild<QWidget*>("cancelSymbols")->isVisible(); }, 10'000);
    }
    bool show(const char* action) {
        auto* toggle = window.findChild<QAction*>(QLatin1String(action));
        if (!toggle) return false;
        toggle->trigger();
        QTest::qWait(200);
        return wait();
    }

    QString trace_;
};

/// One row of data for each page, with its name.
inline void addPages() {
    QTest::addColumn<bool>("unused");
    for (const auto& page : EveryPage::pages())
        QTest::newRow(page.name) << true;
}

} // namespace highwater::tests
