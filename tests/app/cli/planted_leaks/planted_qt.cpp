#include "tests/app/cli/planted_leaks/planted.h"

#include <QObject>
#include <QString>

namespace {

/// Leaks: the object has no parent.
[[gnu::noinline]] QObject* openSession(int number) {
    auto* session = new QObject;
    session->setObjectName(QString("session %1 of a user").arg(number));
    return session;
}

/// The correct version.
[[gnu::noinline]] bool askOnce(int number) {
    QObject question;
    question.setObjectName(QString("question %1 of a user").arg(number));
    return !question.objectName().isEmpty();
}

} // namespace

int main() {
    return planted::serve(
        [](int request) { return askOnce(request) && !openSession(request)->objectName().isEmpty(); });
}
