#include "app/arguments.h"

#include <QRegularExpression>

namespace highwater::app {
namespace {

Error wrongUsage(const QString& sentence) { return {ErrorKind::Usage, sentence.toStdString()}; }

} // namespace

Result<Arguments> parseArguments(const QStringList& words) {
    Arguments arguments;
    bool onlyPaths = false;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const auto& word = words[i];
        const bool hasValue = i + 1 < words.size();
        if (onlyPaths || !word.startsWith(QLatin1Char('-'))) {
            arguments.traces << word;
        } else if (word == QLatin1String("--")) {
            onlyPaths = true;
        } else if (word == QLatin1String("--help") || word == QLatin1String("-h")) {
            arguments.showsHelp = true;
        } else if (word == QLatin1String("--version")) {
            arguments.showsVersion = true;
        } else if (word == QLatin1String("--screenshot") && hasValue) {
            arguments.screenshot = words[++i];
        } else if (word == QLatin1String("--size") && hasValue) {
            static const QRegularExpression form(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$"));
            const auto match = form.match(words[++i]);
            if (!match.hasMatch())
                return wrongUsage(QStringLiteral("--size wants WIDTHxHEIGHT, not %1.").arg(words[i]));
            arguments.size = {match.captured(1).toInt(), match.captured(2).toInt()};
        } else {
            return wrongUsage(QStringLiteral("%1 is not known, or lacks its value.").arg(word));
        }
    }
    return arguments;
}

QString usage() {
    return QStringLiteral("Usage: highwater [TRACE.etl ...] [--screenshot FILE [--size WxH]]\n"
                          "Shows where a process's memory goes. Several files make one trace.\n"
                          "  --screenshot FILE  open, wait until loaded, save a picture, quit\n"
                          "  --size WxH         size of the window\n");
}

} // namespace highwater::app
