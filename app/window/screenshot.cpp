#include "app/window/screenshot.h"

#include "app/window/main_window.h"
#include "core/base/text.h"
#include "ui/view/parts/picture_file.h"

#include <QCoreApplication>
#include <QPixmap>
#include <QTimer>

#include <cstdio>
#include <utility>

namespace highwater::app {
namespace {

/// Layouts and the chart settle within a few turns of the event loop.
constexpr int kSettleMs = 150;
constexpr int kMostNamesMs = 30'000;

} // namespace

Screenshot::Screenshot(MainWindow& window, QString file, QObject* parent)
    : QObject(parent), window_(window), file_(std::move(file)) {
    patience_.setSingleShot(true);
    connect(&patience_, &QTimer::timeout, this, &Screenshot::takeWithoutNames);
    connect(&window_, &MainWindow::settled, this, &Screenshot::check);
    connect(&window_.symbolSession(), &SymbolSession::statusChanged, this, &Screenshot::check);
    connect(&window_, &MainWindow::openFailed, this, &Screenshot::fail);
}

void Screenshot::check() {
    if (!window_.isSettled()) return;
    isOfTrace_ = true;
    if (!waitsForNames_ || !window_.symbolSession().areNamesComing()) return takeSoon();
    if (!patience_.isActive()) patience_.start(kMostNamesMs);
}

void Screenshot::takeWithoutNames() {
    std::fprintf(stderr,
                 "highwater: function names were still incomplete after %d s; the picture does not contain them all.\n",
                 kMostNamesMs / 1000);
    waitsForNames_ = false;
    takeSoon();
}

void Screenshot::takeSoon() {
    if (!std::exchange(isDue_, true)) QTimer::singleShot(kSettleMs, this, &Screenshot::take);
}

/// The last table to settle may not have requested its names before.
void Screenshot::take() {
    isDue_ = false;
    const bool isAgainAtIt = !window_.isSettled() || window_.symbolSession().areNamesComing();
    if (isOfTrace_ && waitsForNames_ && isAgainAtIt) return check();
    if (const auto problem = ui::savePicture(window_.grab().toImage(), file_); !problem.isEmpty()) return fail(problem);
    QCoreApplication::exit(0);
}

void Screenshot::fail(const QString& sentence) {
    std::fprintf(stderr, "highwater: %s\n", printable(sentence.toStdString()).c_str());
    // A failure before the event loop starts cannot quit it yet.
    QTimer::singleShot(0, QCoreApplication::instance(), [] { QCoreApplication::exit(2); });
}

} // namespace highwater::app

#include "moc_screenshot.cpp"
