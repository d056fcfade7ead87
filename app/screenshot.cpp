#include "app/screenshot.h"

#include "app/main_window.h"

#include <QCoreApplication>
#include <QPixmap>
#include <QTimer>

#include <cstdio>
#include <utility>

namespace highwater::app {
namespace {

/// Layouts and the chart settle within a few turns of the event loop.
constexpr int kSettleMs = 150;

} // namespace

Screenshot::Screenshot(MainWindow& window, QString file, QObject* parent)
    : QObject(parent), window_(window), file_(std::move(file)) {
    connect(&window_, &MainWindow::settled, this, &Screenshot::takeSoon);
    connect(&window_, &MainWindow::openFailed, this, &Screenshot::fail);
}

void Screenshot::takeSoon() {
    if (!std::exchange(taken_, true)) QTimer::singleShot(kSettleMs, this, &Screenshot::take);
}

void Screenshot::take() {
    if (!window_.grab().save(file_)) return fail(QStringLiteral("The picture cannot be saved as %1.").arg(file_));
    QCoreApplication::exit(0);
}

void Screenshot::fail(const QString& sentence) {
    std::fprintf(stderr, "highwater: %s\n", qUtf8Printable(sentence));
    QCoreApplication::exit(2);
}

} // namespace highwater::app
