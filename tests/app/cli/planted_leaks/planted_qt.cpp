#include "tests/app/cli/planted_leaks/planted.h"

#include <QObject>
#include <QString>

namespace {

/// Leaks: nobody is the parent of the object.
[[gnu::noinline]] QObject* openSession(int number) {
    auto* session = new QObject;
    session->setObjectName(QString("session %1 of a user").arg(number));
    return session;
}

/// The same as it should be.
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
