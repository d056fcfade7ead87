#include "app/recording/elevation.h"

namespace highwater::app {

QStringList argumentsToRecordAgain(const QStringList& own) {
    const auto ask = QStringLiteral("--ask-what-to-record");
    // What follows --record is another program's, and is recorded again by itself.
    if (own.contains(QStringLiteral("--record")) || own.contains(ask)) return own;
    return QStringList{ask} + own;
}

} // namespace highwater::app
