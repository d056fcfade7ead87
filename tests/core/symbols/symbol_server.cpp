#include "tests/core/symbols/symbol_server.h"

namespace highwater::tests {

SymbolServer::SymbolServer(const QString& root, const QString& certificate) : isSecure_(!certificate.isEmpty()) {
    process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QStringList arguments{QStringLiteral(HIGHWATER_SYMBOL_SERVER "/symbol_server.py"), root};
    if (isSecure_) arguments += certificate;
    process_.start("python3", arguments);
    while (!process_.canReadLine() && process_.waitForReadyRead(20'000)) {
    }
    const auto line = QString::fromUtf8(process_.readLine()).trimmed();
    if (line.startsWith("PORT ")) port_ = line.mid(5).toInt();
}

SymbolServer::~SymbolServer() { stop(); }

void SymbolServer::stop() {
    process_.kill();
    process_.waitForFinished();
}

std::string SymbolServer::url(const QString& how) const {
    return QString("%1://127.0.0.1:%2/%3").arg(isSecure_ ? "https" : "http").arg(port_).arg(how).toStdString();
}

QStringList SymbolServer::requests() {
    process_.waitForReadyRead(100);
    while (process_.canReadLine())
        requests_ += QString::fromUtf8(process_.readLine()).trimmed();
    return requests_;
}

} // namespace highwater::tests
