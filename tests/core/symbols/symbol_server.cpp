#include "tests/core/symbols/symbol_server.h"

namespace highwater::tests {

SymbolServer::SymbolServer(const QString& root) {
    process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process_.start("python3", {QStringLiteral(HIGHWATER_SYMBOL_SERVER "/symbol_server.py"), root});
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
    return QString("http://127.0.0.1:%1/%2").arg(port_).arg(how).toStdString();
}

QStringList SymbolServer::requests() {
    process_.waitForReadyRead(100);
    while (process_.canReadLine())
        requests_ += QString::fromUtf8(process_.readLine()).trimmed();
    return requests_;
}

} // namespace highwater::tests
