#include "app/settings/display.h"

#include "core/base/text.h"

#include <QGuiApplication>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace highwater::app {
namespace {

/// A message of Qt, for a sentence and as Qt would print it.
struct SaidByQt {
    QStringList reasons;
    QStringList lines;
};

SaidByQt& saidByQt() {
    static SaidByQt said;
    return said;
}

[[noreturn]] void endWithoutDisplay(const QStringList& reasons) {
    auto text = QStringLiteral("No display is available to show the window.");
    if (!reasons.isEmpty()) text += QStringLiteral(" Qt says: %1.").arg(reasons.join(QStringLiteral(". ")));
    text += QStringLiteral(" Start the program where a display is available (DISPLAY, WAYLAND_DISPLAY), or choose an "
                           "available platform (QT_QPA_PLATFORM). Without a display, use highwater-cli for the same "
                           "analyses, or --screenshot to save a picture.");
    std::fprintf(stderr, "highwater: %s\n", printable(text.toStdString()).c_str());
    std::fflush(stderr);
    std::_Exit(2); // Qt is only partly constructed and cannot be destroyed
}

/// Shortens a message of Qt. Of the message with which Qt aborts, keeps only the facts, not the advice to reinstall.
QString reasonIn(QtMsgType type, const QString& message) {
    auto text = message;
    if (type == QtFatalMsg && text.contains(QLatin1String("Qt platform plugin")))
        text = text.mid(text.indexOf(QLatin1String("\n\n")) + 1);
    text = text.simplified();
    while (text.endsWith(QLatin1Char('.')) || text.endsWith(QLatin1Char('!')))
        text.chop(1);
    return text;
}

void keepMessage(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (type == QtDebugMsg) { // requested (QT_DEBUG_PLUGINS)
        std::fprintf(stderr, "%s\n", qFormatLogMessage(type, context, message).toLocal8Bit().constData());
        return;
    }
    auto& said = saidByQt();
    if (const auto reason = reasonIn(type, message); !reason.isEmpty()) said.reasons << reason;
    if (type == QtFatalMsg) endWithoutDisplay(said.reasons);
    said.lines << qFormatLogMessage(type, context, message);
}

constexpr std::array kWithValue{"-platform",
                                "-platformpluginpath",
                                "-platformtheme",
                                "-plugin",
                                "-qwindowgeometry",
                                "-geometry",
                                "-qwindowtitle",
                                "-title",
                                "-qwindowicon",
                                "-icon",
                                "-session",
                                "-style",
                                "-stylesheet",
                                "-display",
                                "-name",
                                "-visual"};
constexpr std::array kAlone{"-reverse", "-widgetcount", "-nograb", "-dograb", "-testability"};
constexpr std::array kWithSign{"-style=", "-stylesheet=", "-qmljsdebugger="};

/// Number of arguments of a Qt option including its value; 0: the first is not one.
qsizetype wordsOfQt(const QStringList& words, qsizetype at) {
    auto word = words[at];
    if (word.startsWith(QLatin1String("--"))) word.remove(0, 1); // Qt accepts both
    const auto isWord = [&](const char* option) { return word == QLatin1String(option); };
    const auto begins = [&](const char* option) { return word.startsWith(QLatin1String(option)); };
    if (std::any_of(kWithValue.begin(), kWithValue.end(), isWord)) return at + 1 < words.size() ? 2 : 0;
    const bool isAlone = std::any_of(kAlone.begin(), kAlone.end(), isWord);
    return isAlone || std::any_of(kWithSign.begin(), kWithSign.end(), begins) ? 1 : 0;
}

} // namespace

QStringList withoutOptionsOfQt(const QStringList& words) {
    QStringList own;
    for (qsizetype at = 0; at < words.size();) {
        if (words[at] == QLatin1String("--") || words[at] == QLatin1String("--record")) return own + words.mid(at);
        const auto ofQt = wordsOfQt(words, at);
        if (ofQt == 0) own << words[at];
        at += std::max<qsizetype>(ofQt, 1);
    }
    return own;
}

DisplayWatch::DisplayWatch() { qInstallMessageHandler(keepMessage); }

DisplayWatch::~DisplayWatch() {
    qInstallMessageHandler(nullptr);
    for (const auto& line : std::as_const(saidByQt().lines))
        std::fprintf(stderr, "%s\n", line.toLocal8Bit().constData());
    saidByQt() = {};
}

void DisplayWatch::requireScreen() const {
    if (QGuiApplication::screens().isEmpty()) endWithoutDisplay(saidByQt().reasons);
}

} // namespace highwater::app
